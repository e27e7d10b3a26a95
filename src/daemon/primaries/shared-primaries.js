/**
 * The primaries that small apps share, those in cluster mode and those in fork mode apart. Each of those apps has its
 * own record, socket and connection, so that everything else sees an app with a primary; only the process is the same.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { isAlive } from '../../shared/processes/identity.js';
import { recordStarting } from '../../shared/processes/primary-record.js';
import { connectChannel } from '../../protocol/handle-channel.js';
import { giveSockets } from '../../protocol/socket-set.js';
import { requestOnce } from './connection.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { LaunchOrder } from './launch.js'
 */

/** One process could run more; its loss must not concern all apps of a machine, which start again together. */
const MAX_APPS = { cluster: 10, fork: 100 };
/** An app that may have more workers has a process of its own. */
const MAX_WORKERS = 4;
/** ms for a process to take one of the sockets of its new app. */
const GIVE_MS = 5000;
/** ms before a process that did not answer is asked again. */
const RETRY_MS = 200;

/**
 * A process has one user and group, one Node and, in node:cluster, one kind of scheduling; where the primary accepts, it
 * must not wait for another app.
 * @param {Spec} spec
 * @param {readonly InheritedSocket[]} sockets
 * @returns {PrimaryRecord['shares']} the apps that it may share its primary with; undefined: none
 */
export function sharedModeOf(spec, sockets) {
  const { execMode, uid, gid, interpreter, scheduling, instances } = spec;
  if (uid !== null || gid !== null) return undefined;
  if (execMode === 'fork') return execMode;
  const workers = typeof instances === 'number' ? instances : instances.max;
  const isSmall = workers <= MAX_WORKERS && scheduling === 'fair';
  const isOuter = sockets.some(({ isLasting }) => isLasting);
  return isSmall && !interpreter && !isOuter ? execMode : undefined;
}

export class SharedPrimaries {
  /** The last known record of each app, by the pid of its process and its name. @type {Map<number, Map<string, PrimaryRecord>>} */
  #processes = new Map();
  /** The start of a process, which the next apps wait for; never rejects. @type {Promise<void> | null} */
  #starting = null;

  /** @param {string} app @param {PrimaryRecord} record of its primary, found or launched */
  note(app, record) {
    this.#forget(app);
    if (!record.shares) return;
    const apps = this.#processes.get(record.pid) ?? new Map();
    this.#processes.set(record.pid, apps.set(app, record));
  }

  /** @param {string} app */
  #forget(app) {
    for (const [pid, apps] of this.#processes) {
      if (apps.delete(app) && apps.size === 0) this.#processes.delete(pid);
    }
  }

  /**
   * @param {LaunchOrder} order
   * @param {AppPaths} paths of the app, whose launch file is written
   * @param {InheritedSocket[]} sockets
   * @param {() => Promise<PrimaryRecord>} start starts a process for it
   * @returns {Promise<PrimaryRecord>} of the primary that the app has now
   * @throws {Error} what `start` throws
   */
  async launch(order, paths, sockets, start) {
    const { name: app } = order.spec;
    this.#forget(app);
    for (;;) {
      const joined = await this.#join(order, paths, sockets);
      if (joined !== null) return joined;
      if (this.#starting === null) break;
      await this.#starting;
    }
    const started = start();
    this.#starting = started
      .then(
        (record) => this.note(app, record),
        () => {},
      )
      .finally(() => (this.#starting = null));
    return started;
  }

  /**
   * @param {LaunchOrder} order
   * @param {AppPaths} paths
   * @param {InheritedSocket[]} sockets
   * @returns {Promise<PrimaryRecord | null>} null: it can join none
   */
  async #join({ spec: { name: app }, shares, after }, paths, sockets) {
    for (const apps of [...this.#processes.values()]) {
      const [one] = apps.values();
      // A predecessor is not the process of its own successor.
      if (!one || one.pid === after?.pid || one.shares !== shares || !hasRoom(one, apps)) continue;
      // Before it is asked: its room is taken, and the next daemon knows where the app may be.
      const record = { ...one, socket: paths.socket };
      this.note(app, record);
      recordStarting(paths.record, record);
      const hosted = { launch: paths.launch, sockets: sockets.length };
      if (await this.#host(record, hosted)) {
        if (sockets.length > 0) await giveHeld(paths, sockets);
        return record;
      }
      this.#forget(app);
      rmSync(paths.record, { force: true });
    }
    return null;
  }

  /**
   * Asks a process until it has answered, or has exited: one that did not answer may do it yet, and
   * another process that did it too would run the app twice.
   * @param {PrimaryRecord} record of the app in that process @param {PrimaryMethods['host']['params']} app
   */
  async #host(record, app) {
    let wasAsked = false;
    do {
      if (wasAsked) await sleep(RETRY_MS);
      for (const [name, one] of [...(this.#processes.get(record.pid) ?? [])]) {
        const reply = await requestOnce(one, 'host', app);
        // Its app has been deleted; another one of the same process may answer.
        if (reply === 'absent' && one !== record) this.#forget(name);
        if (reply === 'done') return true;
        if (reply === 'refused') return false;
        if (reply === 'unasked') break;
        if (reply === 'unknown') wasAsked = true;
      }
    } while (wasAsked && isAlive(record));
    return false;
  }
}

/** @param {PrimaryRecord} one of its apps @param {ReadonlyMap<string, PrimaryRecord>} apps */
function hasRoom(one, apps) {
  const { root, node, shares } = one;
  const isSame = root === PACKAGE_ROOT && node === process.version;
  return isSame && shares !== undefined && apps.size < MAX_APPS[shares] && isAlive(one);
}

/**
 * If it fails, the app listens anew as soon as this daemon has closed what it held.
 * @param {AppPaths} paths
 * @param {InheritedSocket[]} sockets
 */
async function giveHeld({ handover }, sockets) {
  const channel = await connectChannel(handover, GIVE_MS).catch(() => null);
  if (channel === null) return;
  await giveSockets(channel, sockets, GIVE_MS);
  channel.close();
}
