/** Desired and actual state of a home, read without a command: a command would start a daemon. */
import { existsSync, readFileSync } from 'node:fs';
import { findDaemon } from '../../../src/api/find-daemon.js';
import { homePaths } from '../../../src/shared/home.js';
import { processesOf } from '../../../test/support/processes.js';

/**
 * @import { App, DaemonIdentity } from '../../../src/protocol/shapes.js'
 * @import { Home } from '../../../test/support/home.js'
 * @import { Shape } from './operations.js'
 */

/**
 * @typedef {object} State
 * @property {(name: string) => Shape} actual
 * @property {(name: string) => Shape} desired
 * @property {boolean} isSettled desired and actual state are the same, and nothing is in progress
 * @property {string | null} release the version of the daemon
 * @property {(string | null)[]} primaryReleases the versions of the primaries that run
 * @property {number[]} pids of daemon, primaries and workers
 * @property {string} text of all that matters, to see whether it changes
 */

/** @param {Home} home @returns {Promise<State | null>} null: no daemon answers, but processes run */
export async function readState({ home, root }) {
  const paths = homePaths(home);
  const client = await findDaemon(paths).catch(() => null);
  if (client === null) return processesOf(root).length === 0 ? stateOf(paths, null) : null;
  try {
    const { daemon, apps } = await client.request('list', {}, { timeoutMs: 2000 });
    return stateOf(paths, { daemon, apps });
  } catch {
    return null;
  } finally {
    client.close();
  }
}

/**
 * @param {{desired: string}} paths
 * @param {{daemon: DaemonIdentity, apps: App[]} | null} listed null: nothing runs
 * @returns {State}
 */
function stateOf(paths, listed) {
  const desired = desiredShapes(paths.desired);
  const stopped = { workers: 0, version: null };
  const actual = listed
    ? new Map(listed.apps.map((app) => [app.name, shapeOf(app)]))
    : new Map([...desired.keys()].map((name) => [name, stopped]));
  const sorted = (/** @type {Map<string, unknown>} */ map) => JSON.stringify([...map].sort());
  const isBusy = listed?.apps.some(({ busy }) => busy !== undefined) ?? false;
  const pids = listed ? [listed.daemon.pid, ...listed.apps.flatMap(pidsOf)] : [];
  return {
    actual: (name) => actual.get(name) ?? null,
    desired: (name) => desired.get(name)?.shape ?? null,
    isSettled: !isBusy && sorted(shapes(desired)) === sorted(actual),
    release: listed?.daemon.version ?? null,
    primaryReleases: (listed?.apps ?? [])
      .filter(({ primaryPid }) => primaryPid !== undefined)
      .map(({ primaryVersion = null }) => primaryVersion),
    pids,
    text: [pids, sorted(shapes(desired)), sorted(actual)].join(' '),
  };
}

/** @param {App} app */
function pidsOf({ primaryPid, workers }) {
  return [primaryPid, ...workers.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
}

/** @param {App} app @returns {Shape} */
function shapeOf({ primaryPid, workers }) {
  const online = workers.filter(({ status }) => status === 'online');
  const versions = new Set(online.map(({ pid }) => versionOf(Number(pid))));
  const version = versions.size === 0 ? null : [...versions].sort().join(' and ');
  const isWhole = primaryPid === undefined || online.length === workers.length;
  return { workers: online.length, version: isWhole ? version : `${version}, some not online` };
}

/** @param {number} pid */
function versionOf(pid) {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return /(?:^|\0)APP_VERSION=([^\0]*)/.exec(environment)?.[1] ?? 'none';
  } catch {
    return 'exited';
  }
}

/** @param {string} file @returns {Map<string, {shape: Shape, isUnfinished: boolean}>} */
function desiredShapes(file) {
  if (!existsSync(file)) return new Map();
  /** @type {{apps: any[]}} */
  const { apps } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(
    apps.map(({ spec, slots, stopped, rollout, deleting = false }) => [
      spec.name,
      {
        shape: stopped
          ? { workers: 0, version: null }
          : { workers: slots.length, version: spec.env.APP_VERSION },
        isUnfinished: rollout !== null || deleting,
      },
    ]),
  );
}

/** @param {ReturnType<typeof desiredShapes>} desired */
function shapes(desired) {
  return new Map(
    [...desired].map(([name, { shape, isUnfinished }]) => [
      name,
      isUnfinished ? 'unfinished' : shape,
    ]),
  );
}
