/** What `update` has done. */
/** @import { AppView, DaemonIdentity } from '../../../protocol/shapes.js' */

/** @typedef {{daemon: DaemonIdentity, apps: AppView[]}} Listed before or after the update */

/**
 * @param {Listed} before
 * @param {Listed} after the same: nothing was done
 * @returns {string} one line
 */
export function describeUpdate(before, after) {
  const { pid, version } = after.daemon;
  if (after === before) return `The daemon is up to date: nodecluster ${version}, pid ${pid}.`;
  const old = before.daemon;
  const versions = old.version === version ? version : `${old.version} → ${version}`;
  const sentence = `Updated the daemon: nodecluster ${versions}, pid ${old.pid} → ${pid}.`;
  const running = before.apps.filter(({ primaryPid }) => primaryPid !== null);
  const kept = running.filter((app) => hasSameProcesses(app, after.apps));
  if (running.length === 0) return sentence;
  const what = kept.length === running.length ? 'Every app runs' : `${names(kept)} run`;
  return `${sentence} ${what} as before, with the same processes.`;
}

/** @param {AppView} app @param {AppView[]} others */
function hasSameProcesses(app, others) {
  const other = others.find(({ name }) => name === app.name);
  return other !== undefined && processesOf(other) === processesOf(app);
}

/** @param {AppView} app */
function processesOf({ primaryPid, workers }) {
  return String([primaryPid, ...workers.map(({ pid }) => pid)]);
}

/** @param {AppView[]} apps */
function names(apps) {
  return apps.length > 0 ? apps.map(({ name }) => name).join(', ') : 'No app';
}
