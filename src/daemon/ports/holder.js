/** Names what listens on a port that a program could not get. */
import { isAnyHost } from '../../lifecycle/listen-fault.js';
import { programName } from './listening-processes.js';

/**
 * @import { ListenFault, SlotState } from '../../protocol/shapes.js'
 * @import { Found, ListeningProcess } from './listening-processes.js'
 */

/**
 * @typedef {object} KnownApp an app whose primary runs
 * @property {string} name
 * @property {number | null} primaryPid
 * @property {readonly Pick<SlotState, 'slot' | 'pid' | 'listening'>[]} slots
 */

/** The title of a primary: src/primary/main.js. */
const PRIMARY_TITLE = /^nodecluster: ([\w@][\w.@-]{0,63})\0*$/;
const DAEMON_TITLE = /^nodecluster: (?:daemon|run)\0*$/;

/**
 * @param {ListenFault} fault
 * @param {string} app that has it
 * @param {readonly KnownApp[]} apps of this home
 * @param {() => Found} find called if none of them reports that address
 * @returns {string | undefined} words before `listens there`; undefined: not known
 */
export function nameHolder(fault, app, apps, find) {
  const isThere = (/** @type {{address: string}} */ { address }) => collide(fault, address);
  const reported = apps.flatMap(({ name, slots }) =>
    slots
      .filter(({ pid, listening }) => pid !== null && listening.some(isThere))
      .map(({ slot }) => (name === app ? `${name}:${slot}` : name)),
  );
  const other = reported.find((name) => !name.startsWith(`${app}:`)) ?? reported[0];
  if (other !== undefined) return other;
  const { processes, isOfOthers } = find();
  if (isOfOthers) return 'a process of another user';
  const names = processes.map((each) => appOf(each, apps) ?? foreignName(each));
  return names.find((name) => name !== null) ?? undefined;
}

/** @param {ListenFault} fault @param {string} listening an address that a worker reports @returns {boolean} */
function collide({ address, port }, listening) {
  if (port === null) return listening === address;
  const end = listening.lastIndexOf(':');
  if (listening.slice(end + 1) !== String(port)) return false;
  const host = listening.slice(0, end).replace(/^\[|\]$/g, '');
  return isAnyHost(host) || isAnyHost(address) || host === address;
}

/** @param {ListeningProcess} process @param {readonly KnownApp[]} apps */
function appOf({ pid, group }, apps) {
  const isOf = (/** @type {KnownApp} */ { primaryPid, slots }) =>
    primaryPid === pid || slots.some((slot) => slot.pid === pid || slot.pid === group);
  return apps.find(isOf)?.name ?? null;
}

/** @param {ListeningProcess} process @returns {string | null} null: a daemon, which holds copies */
function foreignName({ pid, commandLine }) {
  if (DAEMON_TITLE.test(commandLine)) return null;
  const [, app] = PRIMARY_TITLE.exec(commandLine) ?? [];
  if (app) return `${app} of another home directory (pid ${pid})`;
  return `pid ${pid} (${programName(commandLine)})`;
}
