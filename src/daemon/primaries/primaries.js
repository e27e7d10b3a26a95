/**
 * All primaries of the home. An app runs in one that has room, or in a new one; which one, is saved before it is asked.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { SocketSet, giveAll } from '../../protocol/socket-set.js';
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
 * @import { HomePaths, PrimaryPaths, UserDirectory } from '../../shared/home.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { Output, RecordedWorker } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { PrimaryLink } from './link.js'
 */

/** One process could run more; its loss must not concern all apps of a machine, which start again together. */
const MOST_APPS = { cluster: 20, fork: 100 };
/** An app that may have more workers has a process of its own. */
const MOST_WORKERS = 4;
const GIVE_MS = 5000;

/** What an app needs of its primary. @typedef {{mode: Spec['execMode'], most: number}} Share */

/**
 * A process has one user and group, and one Node; where the primary accepts, it must not wait for another app.
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
 * @typedef {{order: Order, sockets: InheritedSocket[], link: PrimaryLink}} Lodger an app that looks for a primary, and gets
 *   these sockets
 *
 * @typedef {(id: number) => {name: string, link: PrimaryLink, user: UserDirectory | null}[]} ExpectedIn the apps that a primary
 *   should have, and the other user as whom it then runs
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
  /** Opened for this daemon, and inherited by each cluster app. @type {InheritedSocket[]} */
  sockets = [];
  /** Of `run`: where the output of the workers goes; null: to log files. @type {Output | null} */
  output = null;
  /** It has an app that is not attached. @type {(primary: Primary, snapshot: Snapshot) => void} */
  onStranger = () => {};

  /** @param {HomePaths} paths @param {Log} log @param {typeof launchPrimary} [launch] */
  constructor(paths, log, launch = launchPrimary) {
    this.#paths = paths;
    this.#log = log;
    this.#launch = launch;
  }

  all() {
    return [...this.#all.values()];
  }

  /** @param {number | null} id */
  get(id) {
    return this.#all.get(Number(id));
  }

  /** Connects to those that an earlier daemon started. @param {ExpectedIn} expectedIn */
  async find(expectedIn) {
    const ids = primaryIds(this.#paths.primariesDir).filter(
      (id) => !this.#all.has(id) && !this.#dead.has(id),
    );
    await Promise.all(ids.map((id) => this.#find(id, () => expectedIn(id))));
  }

  /** @param {number} id @param {() => ReturnType<ExpectedIn>} expected */
  async #find(id, expected) {
    let isFound = false;
    const isExpected = (/** @type {string} */ app) =>
      !isFound && expected().some(({ name }) => name === app);
    const primary = this.#add(id, expected()[0]?.user ?? null, isExpected);
    await primary.connect(0);
    const { record, state, trouble: reason } = primary;
    if (record === null && state === 'unknown') this.#log.error('primary.unclear', { id, reason });
    // A command may have started some in another one meanwhile.
    for (const { name, link } of expected()) if (primary.hosts(name)) link.adopt(primary);
    isFound = true;
    primary.holdSockets();
  }

  /** @param {number} id @param {UserDirectory | null} user @param {(app: string) => boolean} [isExpected] */
  #add(id, user, isExpected = () => false) {
    const paths = this.#pathsOf(id, user);
    const primary = new Primary(id, paths, this.#log, {
      isExpected,
      stranger: (snapshot) => this.onStranger(primary, snapshot),
      exited: () => {
        this.#all.delete(id);
        this.#noteDead(id, paths);
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

  /** What it left must be ended before its apps start again. @param {number} id @param {PrimaryPaths} paths */
  #noteDead(id, { record, user }) {
    const found = readRecord(record);
    if (found.kind === 'unsound') this.#isIncomplete = true;
    const all = found.kind === 'sound' ? [...workersIn(found.record)] : [];
    const left = all.map(([app, workers]) => {
      // The user may write anything there.
      const own = workers.map((worker) => ({ ...worker, uid: user?.uid }));
      return /** @type {const} */ ([app, own.filter(isAlive)]);
    });
    this.#dead.set(id, new Map(left));
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
    const { dir } = this.#paths.primary(id);
    this.#dead.delete(id);
    attempt(() => rmSync(dir, { recursive: true, force: true }), undefined);
  }

  /**
   * @param {Lodger} lodger
   * @returns {Promise<Primary>} in which it is now
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
  #withRoom({ mode, most }, { order, link }, refused) {
    const { name } = order.spec;
    const hasRoom = (/** @type {Primary} */ primary) => {
      const { record, state, size } = primary;
      if (primary.isEnding || state !== 'connected') return false;
      const linked = primary.links.get(name);
      // An app never moves to where it is.
      if (linked && linked !== link) return false;
      if (primary.hosts(name)) return true;
      const isSame = record?.root === PACKAGE_ROOT && record.node === process.version;
      return isSame && most > 1 && record.mode === mode && record.most === most && size < most;
    };
    const all = this.all().filter((primary) => !refused.has(primary) && hasRoom(primary));
    return all.find(({ id }) => id === link.id) ?? all[0];
  }

  /** @param {Primary} primary @param {Lodger} lodger @returns {Promise<boolean>} whether it is there now */
  async #join(primary, { order, sockets, link }) {
    const { name } = order.spec;
    // Before it is asked: its room is taken, and the next daemon knows where the app may be.
    primary.attach(name, link);
    await link.note(primary.id);
    // Those of the first primary serve.
    const previous = order.isSecond ? null : this.leftBy(name);
    const isThere = await primary.host({ ...order, previous, sockets: sockets.length });
    if (isThere && !order.isSecond) this.settle(name);
    if (isThere) await giveHeld(primary, name, sockets);
    else primary.detach(name, link);
    return isThere;
  }

  /** @param {Share} share @param {Lodger} lodger */
  async #start(share, lodger) {
    const { sockets, link } = lodger;
    const { spec } = lodger.order;
    const { output } = this;
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
    await primary.connect(LAUNCH_MS);
    // It has inherited the sockets.
    if (primary.state !== 'exited' && (await this.#join(primary, { ...lodger, sockets: [] })))
      return primary;
    primary.end();
    throw primary.error('E_PRIMARY_GONE', spec.name);
  }

  /** @param {...(number | null)} ids that are or were in use */
  noteIds(...ids) {
    this.#lastId = Math.max(this.#lastId, ...ids.map(Number));
  }

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
  const given = new SocketSet();
  for (const { name, handle } of sockets) if (handle) given.add(name, handle);
  await giveAll(channel, [[owner, given]], GIVE_MS);
}
