/** Whom a worker is connected to, and waits for, while its event loop turns. */
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../shared/listen-address.js';
import {
  findListeningProcesses,
  nameListener,
} from '../../shared/processes/listening-processes.js';
import { formatAge } from '../../show/quantity.js';
import { hasProblem, rowsOfWorkers } from '../../show/rows.js';
import { isCrashing, stateText } from '../../show/state.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { BareRow } from '../../show/rows.js'
 * @import { AppStacks } from './record.js'
 */

/**
 * Of workers that crash, or whose event loop turns, the note says what they do, or what is wrong with them.
 * @param {AppStacks[]} stacks
 * @param {App[]} all apps
 * @param {number} now epoch ms
 */
export function describeTurning(stacks, all, now) {
  const rows = all.flatMap((app) => rowsOfWorkers(app, now));
  const peers = stacks.flatMap(({ workers }) => workers.flatMap((worker) => worker.peers ?? []));
  const holders = new Map([...new Set(peers)].map((peer) => [peer, holderAt(peer, all)]));
  return stacks.map(({ name, workers }) => ({
    name,
    workers: workers.map((stack) => {
      const row = rows.find(({ key }) => key === `${name}:${stack.slot}`);
      if (row && stack.frames.length === 0 && isCrashing(/** @type {Worker} */ (row.worker))) {
        return { ...stack, note: stateText(row, now) };
      }
      if (stack.peers === undefined || !row) return stack;
      const named = stack.peers.map((peer) =>
        [peer, holders.get(peer)].filter(Boolean).join(' of '),
      );
      return { ...stack, note: noteOf(row, named, now) };
    }),
  }));
}

/** Who listens there, if it is this machine. @param {string} peer `127.0.0.1:4310 ×3` @param {App[]} apps */
function holderAt(peer, apps) {
  const [, host = '', port] = /^(.*):(\d+)\b/.exec(peer) ?? [];
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  if (!isLoopback(host) && !own.some(({ address }) => address === host)) return undefined;
  const listens = (/** @type {Worker} */ { listening }) =>
    listening.some(({ address }) => address.endsWith(`:${port}`));
  const app = apps.find(({ workers }) => workers.some(listens));
  if (app) return app.name;
  return nameListener(findListeningProcesses({ port: Number(port) }), null);
}

/** @param {BareRow} row @param {string[]} named whom it is connected to @param {number} now @returns {string} in words that follow its name */
function noteOf(row, named, now) {
  const isTroubled = hasProblem(row, now);
  const waits = isTroubled && row.worker ? describeWait(row.worker, now) : null;
  const turns = isTroubled ? 'is not blocked' : 'no problem';
  const isOnline = row.worker?.status === 'online';
  const state = isTroubled && isOnline ? stateText(row, now) : `${turns}: its event loop turns`;
  const connected = waits || named.length > 0;
  const whom = connected ? `, and it is connected to ${named.join(', ') || 'no server'}` : '';
  return `${state}${waits ? `: ${waits}` : ''}${whom}`;
}

/** @param {Worker} worker @param {number} now */
function describeWait({ requests }, now) {
  if (requests?.oldestSince === undefined) return null;
  const { open, oldestSince } = requests;
  const what = open === 1 ? '1 request waits' : `${open} requests wait`;
  return `${what}, the oldest for ${formatAge(now - oldestSince)}`;
}
