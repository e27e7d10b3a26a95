/** Attacks a home, and measures what its other clients notice. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { homePaths } from '../../../src/shared/home.js';
import { primaryIds } from '../../../src/shared/processes/primary-record.js';
import { generateLoad } from '../http-load.js';
import { inWatchedHome } from './watched-home.js';
import { attack, attackOnce } from './attacker.js';
import { FrameSource, randomFrom } from './frames.js';

/** @import { Size, WatchedHome } from './watched-home.js' */

/** At a time, on each of the two sockets. */
const ATTACKERS = 4;
/** Memory is compared with that after a quarter of them. */
const ROUNDS = 20;
const PAUSE_MS = 100;
/** Of the heap in use, in MB. */
const MAX_GROWTH = 4;
/** Of daemon.log and its rotated files together. */
const MAX_LOG_BYTES = 30 * 2 ** 20;

/**
 * @param {number} frames on both sockets together
 * @param {number} seed
 * @returns {Promise<{faults: string[], seen: object}>}
 */
export function fuzz(frames, seed) {
  return inWatchedHome(async (home) => {
    const paths = homePaths(home.home);
    const before = await stateOf(home);
    const { app } = before;
    const load = generateLoad({ port: home.port, clients: 2, thinkMs: 20, failuresKept: 5 });
    const client = startClient(home);
    const targets = {
      daemon: { socket: paths.daemonSocket, type: /** @type {const} */ ('DaemonMethods') },
      primary: {
        socket: paths.primary(primaryIds(paths.primariesDir)[0]).socket,
        type: /** @type {const} */ ('PrimaryMethods'),
      },
    };
    const random = randomFrom(seed);
    const totals = { daemon: emptySums(), primary: emptySums() };
    for (const name of /** @type {const} */ (['daemon', 'primary'])) {
      add(totals[name], await attackOnce(targets[name].socket));
    }
    // The buffers of what comes often have reached their size.
    let early = before.sizes;
    for (let round = 1; round <= ROUNDS; round++) {
      const attacks = Object.entries(targets).flatMap(([name, { socket, type }]) =>
        Array.from({ length: ATTACKERS }, async () => {
          const source = new FrameSource(randomFrom(random() * 2 ** 32), type);
          const count = Math.ceil(frames / 2 / ATTACKERS / ROUNDS);
          add(totals[/** @type {'daemon'} */ (name)], await attack(socket, source, count));
        }),
      );
      await Promise.all(attacks);
      if (round === ROUNDS / 4) early = await home.sizes();
    }
    const latency = await client.stop();
    const requests = await load.stop();
    const after = await stateOf(home);
    const logBytes = daemonLogBytes(paths.daemonLog);
    const faults = faultsOf({ before, early, after, latency, requests, logBytes });
    const sizes = [before.sizes, early, after.sizes];
    return {
      faults: app ? faults : ['the app did not start'],
      seen: { totals, sizes, latency, requests, logBytes },
    };
  });
}

/** @param {WatchedHome} home */
async function stateOf({ home, ask, sizes }) {
  const { apps } = await ask('list');
  const { pid } = await ask('ping');
  const [app] = apps;
  return {
    app,
    pids: { daemon: pid, primary: app.primaryPid },
    workers: app.workers.map((/** @type {any} */ worker) => worker.pid),
    names: apps.map((/** @type {any} */ each) => each.name),
    desired: desiredIn(readFileSync(homePaths(home).desired, 'utf8')),
    sizes: await sizes(),
  };
}

/** Sends commands one after the other, each on its own connection, as people do. @param {WatchedHome} home */
function startClient({ ask }) {
  const state = { isOver: false, count: 0, failed: 0, worstMs: 0 };
  const loop = async () => {
    while (!state.isOver) {
      const begin = performance.now();
      await ask('list', { selectors: ['web'], fields: ['details'] }).catch(
        () => (state.failed += 1),
      );
      state.worstMs = Math.max(state.worstMs, performance.now() - begin);
      state.count += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const done = loop();
  return {
    stop: async () => {
      state.isOver = true;
      await done;
      return state;
    },
  };
}

/** @param {string} file */
function daemonLogBytes(file) {
  const { dir, name } = path.parse(file);
  const names = readdirSync(dir).filter((each) => each.startsWith(name) && each.includes('.log'));
  return names.reduce((sum, each) => sum + statSync(path.join(dir, each)).size, 0);
}

function emptySums() {
  return { frames: 0, connections: 0, refused: 0, megabytesTaken: 0 };
}

/** @param {Record<string, number>} sums @param {Record<string, number>} more */
function add(sums, more) {
  for (const [key, value] of Object.entries(more)) sums[key] += value;
}

/**
 * @typedef {Awaited<ReturnType<typeof stateOf>>} State
 * @typedef {object} Seen
 * @property {State} before
 * @property {{daemon: Size, primary: Size}} early after a quarter of the frames
 * @property {State} after
 * @property {{count: number, failed: number, worstMs: number}} latency
 * @property {{made: number, failed: number}} requests
 * @property {number} logBytes
 */

/** Without what an app was seen to do, which is saved with the next change. @param {string} text */
function desiredIn(text) {
  return JSON.stringify(JSON.parse(text), (key, value) =>
    key === 'listeningRecord' ? undefined : value,
  );
}

/** @param {Seen} seen @returns {string[]} */
function faultsOf({ before, early, after, latency, requests, logBytes }) {
  const grown = (/** @type {'daemon' | 'primary'} */ name) =>
    after.sizes[name].heapMb - early[name].heapMb > MAX_GROWTH ||
    after.sizes[name].descriptors > early[name].descriptors + 2;
  /** @type {[boolean, string][]} */
  const checks = [
    [before.pids.daemon !== after.pids.daemon, 'the daemon was replaced'],
    [before.pids.primary !== after.pids.primary, 'the primary was replaced'],
    [String(before.workers) !== String(after.workers), 'a worker was replaced'],
    [String(before.names) !== String(after.names), 'there are other apps'],
    [before.desired !== after.desired, 'the desired state has changed'],
    [grown('daemon'), 'the daemon has grown'],
    [grown('primary'), 'the primary has grown'],
    [latency.failed > 0, 'a command of another client failed'],
    [requests.failed > 0, 'a request to the app failed'],
    [logBytes > MAX_LOG_BYTES, 'daemon.log has grown'],
  ];
  return checks.filter(([isFault]) => isFault).map(([, fault]) => fault);
}
