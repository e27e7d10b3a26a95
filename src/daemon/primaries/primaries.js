/**
 * All primaries of the home. An app runs in one that has room, or in a new one; which one, is saved before it is asked.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../errors/error.js';
import { giveSockets } from '../../protocol/socket-set.js';
import { connectChannel } from '../../protocol/handle-channel.js';
import { enterHome } from '../../shared/home.js';
import { isAlive } from '../../shared/processes/identity.js';
import { primaryIds, readRecord, workersIn } from '../../shared/processes/primary-record.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { LAUNCH_MS, launchPrimary } from './launch.js';
import { Primary } from './primary.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { HostedApp, EarlierWorkers, Snapshot } from '../../protocol/methods.js'
 * @import { HomePaths, UserDirectory } from '../../shared/home.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { Output, PrimaryRecord, RecordedWorker } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { PrimaryLink } from './link.js'
 */

/** One process could run more; its loss must not concern all apps of a machine, which start again together. */
const MOST_APPS = { cluster: 10, fork: 100 };
/** An app that may have more workers has a process of its own. */
const MOST_WORKERS = 4;
/** ms for a process to take one of the sockets of its new app. */
const GIVE_MS = 5000;
const REPLY_MS = 5000;
/** ms before a process that did not answer is asked again. */
const RETRY_MS = 200;

/** What an app needs of its primary. @typedef {{mode: Spec['execMode'], most: number}} Share */

/**
 * A process has one user and group, one Node and, in node:cluster, one kind of scheduling; where the primary accepts, it
 * must not wait for another app.
 * @param {Spec} spec
 * @param {readonly InheritedSocket[]} sockets
 * @returns {Share} most: how many apps may be in its primary
 */
export function shareOf(spec, sockets) {
  const { execMode: mode, uid, gid, interpreter, scheduling, instances } = spec;
  const alone = { mode, most: 1 };
  if (uid !== null || gid !== null) return alone;
  if (mode === 'fork') return { mode, most: MOST_APPS.fork };
  const workers = typeof instances === 'number' ? instances : instances.max;
  // 0 and less: as many as there are cores, or fewer.
  const isSmall = workers <= MOST_WORKERS && scheduling === 'fair';
  const isOuter = sockets.some(({ isLasting }) => isLasting);
  return isSmall && !interpreter && !isOuter ? { mode, most: MOST_APPS.cluster } : alone;
}

/**
 * @typedef {Omit<HostedApp, 'previous' | 'sockets'>} Order
 *
 * @typedef {object} Lodger an app that looks for a primary
 * @property {Order} order
 * @property {InheritedSocket[]} sockets that it gets
 * @property {Output | null} output
 * @property {PrimaryLink} link
 * @property {number | null} preferred where it was, or may be
 * @property {(id: number) => Promise<unknown>} noted resolves when that is saved
 */

export class Primaries {
  #paths;
  #log;
  #launch;
  /** @type {Map<number, Primary>} by id */
  #all = new Map();
  /** Of primaries that were killed: their workers, by app. @type {Map<number, Map<string, RecordedWorker[]>>} */
  #dead = new Map();
  /** Of one that was killed, not all is known. */
  #isIncomplete = false;
  /** The start of a process, which the next apps wait for; never rejects. @type {Promise<void> | null} */
  #starting = null;
  /** No id is used twice: the directory of one that ends is removed when it has exited. */
  #lastId = 0;
  /** It has an app that is not known. @type {(primary: Primary, snapshot: Snapshot) => void} */
  onUnknownApp = () => {};

  /** @param {HomePaths} paths @param {Log} log @param {typeof launchPrimary} [launch] */
  constructor(paths, log, launch = launchPrimary) {
    this.#paths = paths;
    this.#log = log;
    this.#launch = launch;
  }

  all() {
    return [...this.#all.values()];
  }

  /**
   * Connects to those that an earlier daemon started.
   * @param {(id: number) => UserDirectory | null} userOf of an app that should be there
   */
  async find(userOf) {
    const ids = primaryIds(this.#paths.primariesDir).filter(
      (id) => !this.#all.has(id) && !this.#dead.has(id),
    );
    await Promise.all(ids.map((id) => this.#find(id, userOf(id))));
  }

  /** @param {number} id @param {UserDirectory | null} user */
  async #find(id, user) {
    const primary = this.#add(id, user);
    await primary.connect(0);
    const { record, state, trouble: reason } = primary;
    if (record === null && state === 'unknown') this.#log.error('primary.unclear', { id, reason });
  }

  /** @param {number} id @param {UserDirectory | null} user */
  #add(id, user) {
    const primary = new Primary(id, this.#pathsOf(id, user), this.#log, {
      unknownApp: (snapshot) => this.onUnknownApp(primary, snapshot),
      exited: () => {
        this.#all.delete(id);
        this.#noteDead(id, user);
      },
    });
    this.#all.set(id, primary);
    return primary;
  }

  /** @param {number} id @param {UserDirectory | null} user */
  #pathsOf(id, user) {
    const own = this.#paths.primary(id);
    if (user !== null) return this.#paths.primary(id, user);
    const found = readRecord(own.identity);
    const { uid, socket } = found.kind === 'sound' ? found.record : {};
    if (uid === undefined) return own;
    return this.#paths.primary(id, { uid, dir: path.dirname(String(socket)) });
  }

  /** What it left must be ended before its apps start again. @param {number} id @param {UserDirectory | null} user */
  #noteDead(id, user) {
    const paths = this.#pathsOf(id, user);
    const found = readRecord(paths.record);
    const uid = paths.user?.uid;
    if (found.kind === 'unsound') this.#isIncomplete = true;
    /** @type {Map<string, RecordedWorker[]>} */
    const all = found.kind === 'sound' ? workersIn(found.record) : new Map();
    const left = new Map();
    for (const [app, workers] of all) {
      // The user may write anything there.
      left.set(app, workers.map((worker) => ({ ...worker, uid })).filter(isAlive));
    }
    this.#dead.set(id, left);
    this.#forgetSettled(id);
  }

  /** @param {string} app @returns {EarlierWorkers} */
  leftBy(app) {
    const all = [...this.#dead.values()].flatMap((left) => (left.has(app) ? [left.get(app)] : []));
    // Also where none of its workers lives: what they have started may.
    if (all.length > 0) return all.flatMap((workers) => workers ?? []);
    return this.#isIncomplete ? 'unknown' : null;
  }

  /** Whoever ends what was left of it knows it. @param {string} app */
  settle(app) {
    for (const [id, left] of this.#dead) {
      left.delete(app);
      this.#forgetSettled(id);
    }
  }

  /** @param {number} id of one that has exited */
  #forgetSettled(id) {
    if (this.#dead.get(id)?.size !== 0) return;
    const paths = this.#pathsOf(id, null);
    this.#dead.delete(id);
    attempt(() => rmSync(paths.dir, { recursive: true, force: true }), undefined);
  }

  /**
   * @param {Lodger} lodger
   * @returns {Promise<Primary>} in which it is now
   * @throws {NodeclusterError} E_PRIMARY_START, E_PRIMARY_GONE
   */
  async host(lodger) {
    const share = shareOf(lodger.order.spec, lodger.sockets);
    /** @type {Set<Primary>} */
    const refused = new Set();
    for (;;) {
      const primary = this.#withRoom(share, lodger, refused);
      if (primary !== undefined) {
        if (await this.#join(primary, lodger)) return primary;
        refused.add(primary);
      } else if (share.most === 1 || this.#starting === null) break;
      else await this.#starting;
    }
    const started = this.#start(share, lodger);
    if (share.most > 1) {
      const settled = () => void (this.#starting = null);
      this.#starting = started.then(settled, settled);
    }
    return started;
  }

  /** @param {Share} share @param {Lodger} lodger @param {ReadonlySet<Primary>} refused */
  #withRoom({ mode, most }, { order, preferred, link }, refused) {
    const { name } = order.spec;
    const hasRoom = (/** @type {Primary} */ primary) => {
      const { record, state, size } = primary;
      if (primary.isEnding || state !== 'connected') return false;
      const linked = primary.linkOf(name);
      // An app never moves to where it is.
      if (linked && linked !== link) return false;
      if (primary.hosts(name)) return true;
      const isSame = record?.root === PACKAGE_ROOT && record.node === process.version;
      return isSame && most > 1 && record.mode === mode && record.most === most && size < most;
    };
    const all = this.all().filter((primary) => !refused.has(primary) && hasRoom(primary));
    return all.find(({ id }) => id === preferred) ?? all[0];
  }

  /** @param {Primary} primary @param {Lodger} lodger @returns {Promise<boolean>} whether it is there now */
  async #join(primary, { order, sockets, link, noted }) {
    const { name } = order.spec;
    // Before it is asked: its room is taken, and the next daemon knows where the app may be.
    primary.attach(name, link);
    await noted(primary.id);
    const isThere = await this.#ask(primary, order, sockets.length);
    if (isThere) await giveHeld(primary, name, sockets);
    else primary.detach(name, link);
    return isThere;
  }

  /**
   * Asks a process until it has answered, or has exited: one that did not answer may do it yet, and
   * another process that did it too would run the app twice.
   * @param {Primary} primary @param {Order} order @param {number} sockets that follow
   */
  async #ask(primary, order, sockets) {
    const { name } = order.spec;
    // Those of the first primary serve.
    const previous = order.isSecond ? null : this.leftBy(name);
    for (;;) {
      const reply = await primary.host({ ...order, previous, sockets }, REPLY_MS);
      if (reply === 'done' && !order.isSecond) this.settle(name);
      if (reply !== 'unknown') return reply === 'done';
      await sleep(RETRY_MS);
    }
  }

  /** @param {Share} share @param {Lodger} lodger */
  async #start(share, lodger) {
    const { sockets, output, link } = lodger;
    const { spec } = lodger.order;
    const { home, app } = this.#paths;
    // Files there are read, and executed, as the user of this daemon.
    enterHome(home);
    const { user } = app(spec.name, spec.uid);
    if (user) mkdirSync(path.dirname(user.dir), { recursive: true, mode: 0o700 });
    const id = this.#makeDirectory();
    const primary = this.#add(id, user);
    const { paths } = primary;
    const launch = { id, home, ...share };
    try {
      primary.identify(await this.#launch({ launch, spec, paths, sockets, output }));
    } catch (error) {
      this.#all.delete(id);
      rmSync(paths.dir, { recursive: true, force: true });
      throw error;
    }
    primary.attach(spec.name, link);
    const runs = (await primary.connect(LAUNCH_MS)) || primary.state !== 'exited';
    // It has inherited the sockets.
    if (runs && (await this.#join(primary, { ...lodger, sockets: [] }))) return primary;
    primary.end();
    throw primary.error('E_PRIMARY_GONE', spec.name);
  }

  /** @param {...(number | null)} ids that are or were in use */
  noteIds(...ids) {
    this.#lastId = Math.max(this.#lastId, ...ids.map(Number));
  }

  /** @returns {number} the id of a new primary, which has a directory */
  #makeDirectory() {
    const { primariesDir } = this.#paths;
    this.noteIds(...primaryIds(primariesDir));
    for (;;) {
      const id = (this.#lastId += 1);
      try {
        mkdirSync(this.#paths.primary(id).dir, { mode: 0o700 });
        return id;
      } catch (error) {
        const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
        if (code === 'EEXIST') continue;
        const [dead] = this.#dead.keys();
        if (!['ENOSPC', 'EDQUOT'].includes(code) || dead === undefined) throw error;
        // On a full disk the directory of one that was killed is used again.
        rmSync(this.#paths.primary(dead).identity, { force: true });
        this.#dead.delete(dead);
        return dead;
      }
    }
  }
}

/**
 * If it fails, the app listens anew as soon as this daemon has closed what it held.
 * @param {Primary} primary @param {string} owner @param {InheritedSocket[]} sockets
 */
async function giveHeld({ paths }, owner, sockets) {
  if (sockets.length === 0) return;
  const channel = await connectChannel(paths.handover, GIVE_MS).catch(() => null);
  if (channel === null) return;
  const given = sockets.map((socket) => ({ ...socket, owner }));
  await giveSockets(channel, given, GIVE_MS);
  channel.close();
}
