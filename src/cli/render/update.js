/** What `update` has done. */
import { compareVersions } from './other-versions.js';

/** @import { AppView, DaemonIdentity } from '../../protocol/shapes.js' */

/**
 * @typedef {{daemon: DaemonIdentity, apps: AppView[]}} Listed before or after the update
 * @typedef {'same' | 'changed' | 'unknown'} Fate
 */

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
  if (running.length === 0) return sentence;
  const named = (/** @type {Fate} */ fate) =>
    running.filter((app) => fateOf(app, after.apps) === fate).map(({ name }) => name);
  const [changed, unknown] = [named('changed'), named('unknown')];
  const others = running.length - changed.length - unknown.length;
  if (others === running.length)
    return `${sentence} Every app runs as before, with the same processes.`;
  return [
    sentence,
    ...(changed.length > 0 ? [`The processes of ${changed.join(', ')} changed meanwhile.`] : []),
    ...(unknown.length > 0 ? [describeUnknown(unknown)] : []),
    ...(others > 0 ? ['Every other app runs as before.'] : []),
  ].join(' ');
}

/** @param {string[]} names of apps */
function describeUnknown(names) {
  const silent = names.length === 1 ? 'its primary' : 'their primaries';
  return `It is not known whether the processes of ${names.join(', ')} changed: ${silent} did not reply.`;
}

/** @param {string | number} from @param {string | number} to */
function change(from, to) {
  return from === to ? String(to) : `${from} → ${to}`;
}

/** @param {AppView} app before @param {AppView[]} others after @returns {Fate} of its processes */
function fateOf(app, others) {
  const other = others.find(({ name }) => name === app.name);
  if (other === undefined) return 'changed';
  if (processesOf(other) === processesOf(app)) return 'same';
  const isOtherPrimary = other.primaryPid !== null && other.primaryPid !== app.primaryPid;
  const isUnknown = [app, other].some(({ status }) => status === 'unknown');
  return isUnknown && !isOtherPrimary ? 'unknown' : 'changed';
}

/** @param {AppView} app */
function processesOf({ primaryPid, workers }) {
  return String([primaryPid, ...workers.map(({ pid }) => pid)]);
}
