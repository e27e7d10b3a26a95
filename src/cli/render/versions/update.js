/** What `update` has done. */
import { compareVersions } from './other-versions.js';

/** @import { AppView, DaemonIdentity } from '../../../protocol/shapes.js' */

/** @typedef {{daemon: DaemonIdentity, apps: AppView[]}} Listed before or after the update */

/**
 * @param {Listed} before
 * @param {Listed} after the same: nothing was done
 * @returns {string} one line
 */
export function describeUpdate(before, after) {
  const { daemon: next } = after;
  if (after === before) {
    const node = next.node.slice(1);
    return `The daemon is up to date: nodecluster ${next.version}, Node ${node}, pid ${next.pid}.`;
  }
  const old = before.daemon;
  const isEarlier = compareVersions(next.version, old.version) < 0;
  const changes = [
    `nodecluster ${change(old.version, next.version)}${isEarlier ? ' (an earlier version)' : ''}`,
    ...(old.node === next.node ? [] : [`Node ${change(old.node.slice(1), next.node.slice(1))}`]),
    `pid ${change(old.pid, next.pid)}`,
  ];
  const sentence = `Updated the daemon: ${changes.join(', ')}.`;
  const running = before.apps.filter(({ primaryPid }) => primaryPid !== null);
  const changed = running.filter((app) => !hasSameProcesses(app, after.apps));
  if (running.length === 0) return sentence;
  if (changed.length === 0) return `${sentence} Every app runs as before, with the same processes.`;
  const names = changed.map(({ name }) => name).join(', ');
  const others = changed.length < running.length ? ' Every other app runs as before.' : '';
  return `${sentence} The processes of ${names} changed meanwhile.${others}`;
}

/** @param {string | number} from @param {string | number} to */
function change(from, to) {
  return from === to ? String(to) : `${from} → ${to}`;
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
