/**
 * One app of this primary, from the first connection of a daemon to the last line of its logs: what
 * daemons find it by, the record of its workers, and its end.
 */
import { rmSync, readFileSync } from 'node:fs';
import { poll } from '../shared/deadline.js';
import { isAlive } from '../shared/processes/identity.js';
import { answers } from '../shared/unix-socket.js';
import { readRecord, readWorkers } from '../shared/processes/primary-record.js';
import { methodsOf } from './methods.js';
import { hurry, retire, shutdown } from './pool/commands.js';
import { App } from './pool/app.js';
import { Presence } from './presence.js';
import { PidFiles, pidsByPath, WorkerRecord } from './processes/record.js';
import { homePaths, pathsInUserDirectory } from '../shared/home.js';

/**
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { Output, PrimaryRecord, PrimaryLaunch } from '../shared/processes/records.js'
 * @import { DaemonLink, DaemonLaunch } from './daemon-link.js'
 * @import { AppPaths, HomePaths } from '../shared/home.js'
 */

const EXIT_POLL_MS = 50;

/**
 * What all apps of a primary have in common.
 * @typedef {object} Process
 * @property {DaemonLink} daemonLink
 * @property {Record<string, string>} baseEnv variables of its workers that a spec may override
 * @property {Output} [output] of `run`: where the output of the workers goes
 * @property {(app: PrimaryMethods['host']['params']) => Promise<null>} host makes it the primary of another app too
 */

export class HostedApp {
  /** It has been asked to end, and nothing starts it again here. */
  isEnding = false;
  /** Resolves when nothing of it is left in this process. @type {Promise<void>} */
  ended;
  #onEnded = () => {};
  /** How many daemons are connected to this app. */
  #daemons = 0;
  #launch;
  #app;
  #workerRecord;
  #pidFiles = new PidFiles();
  #presence;

  /** @param {Launch} launch @param {Process} process */
  constructor(launch, { daemonLink, baseEnv, output, host }) {
    const { file, paths, firstPaths } = launch;
    this.#launch = launch;
    this.daemonLink = daemonLink;
    this.host = host;
    this.#app = new App(file, paths, baseEnv, output);
    if (file.after) this.#app.waitForPredecessor();
    this.#workerRecord = new WorkerRecord(firstPaths.workers);
    this.ended = new Promise((resolve) => (this.#onEnded = () => resolve()));
    const held = this.#app.pool.mode === 'cluster' ? this.#app.sockets.handedOver : null;
    this.#presence = new Presence(methodsOf(this.#app, this), held, file.shares);
  }

  get name() {
    return this.#app.name;
  }

  /**
   * Call it before it listens.
   * @param {number} count
   * @returns {Promise<InheritedSocket[]>} which the daemon held when the app had no primary
   */
  async receive(count) {
    return count > 0 ? this.#presence.receive(count) : [];
  }

  /** @returns {Promise<void>} when daemons find it */
  async listen() {
    const { file, firstPaths } = this.#launch;
    await this.#presence.listen(firstPaths);
    await this.#presence.record(firstPaths);
    if (!file.after) this.#stayPresent();
  }

  /** Starts its workers when those of an earlier primary allow it. @param {InheritedSocket[]} sockets */
  async run(sockets) {
    const { file, firstPaths } = this.#launch;
    const { pool, previousWorkers } = this.#app;
    if (pool.mode === 'cluster') this.#app.sockets.watch(sockets);
    const emptiesFirst = pool.mode === 'fork' || this.#app.launch.listens === false;
    await previousWorkers.end(readWorkers(firstPaths.workers), file.spec, emptiesFirst);
    // Without a record, the next primary would not look for workers that this one did not live to record.
    await this.#workerRecord.update([], previousWorkers.alive);
    // Not earlier: the record of the previous workers would be overwritten before it is read.
    pool.on('change', () => {
      this.#workerRecord.update(pool.workers.values(), previousWorkers.alive);
      this.#pidFiles.update(pidsByPath(this.#app));
    });
    pool.start();
    if (file.after) await this.#succeed(file.after);
  }

  async shutDown() {
    this.isEnding = true;
    await shutdown(this.#app);
    await this.end();
  }

  /** @type {DaemonLink['connected']} */
  connected(ctx, daemon) {
    this.#daemons += 1;
    ctx.onClose(() => (this.#daemons -= 1));
    this.daemonLink.connected(ctx, daemon);
  }

  #stayPresent() {
    const { file, text, paths } = this.#launch;
    this.#presence.keep(paths, {
      home: file.home,
      launchText: text,
      isControlled: () => this.#daemons > 0,
      onRestored: () => this.#workerRecord.restore(),
      onSuperseded: () => this.shutDown(),
    });
  }

  /**
   * Takes the place of the app when its predecessor has exited, whether a daemon runs then or not.
   * Exits if no daemon knows about it while its predecessor serves.
   * @param {PrimaryRecord} predecessor
   */
  async #succeed(predecessor) {
    const { file, paths, firstPaths } = this.#launch;
    const isOver = async () => !isAlive(predecessor) || (await hasLeft(predecessor, paths.record));
    const isDecided = async () => this.daemonLink.isAbandoned || (await isOver());
    await poll(isDecided, { timeoutMs: Infinity, everyMs: EXIT_POLL_MS });
    if (!(await isOver())) return retire(this.#app).then(() => this.end());
    this.#app.serve();
    // It may have been killed, and its workers finish their requests.
    await this.#app.previousWorkers.end(readWorkers(paths.workers), file.spec);
    await this.#presence.listen(paths);
    this.#workerRecord.moveTo(paths.workers);
    await this.#presence.record(paths);
    this.#stayPresent();
    const { launch, record, workers, socket, handover } = firstPaths;
    for (const each of [launch, record, workers, socket, handover])
      rmSync(each ?? '', { force: true });
  }

  /** Daemons do not find it any more. */
  async leave() {
    this.isEnding = true;
    this.#app.end();
    await this.#presence.close();
    this.#onEnded();
  }

  /** For a shutdown that hangs: its workers are killed, and nobody waits for them. */
  abandon() {
    this.#app.pool.isEnding = true;
    hurry(this.#app, true);
    setImmediate(() => this.leave());
  }

  /** Everything that was written is on the disk before daemons see that it has ended. */
  async end() {
    this.isEnding = true;
    await this.#app.pool.services.strays.whenIdle();
    await this.#pidFiles.whenIdle();
    await this.#workerRecord.whenIdle();
    await this.#app.logs.end();
    await this.leave();
  }
}

/**
 * Its process goes on with other apps. On a full disk it has no record all along.
 * @param {PrimaryRecord} primary
 * @param {string | null} file its record
 */
async function hasLeft({ shares, socket }, file) {
  if (!shares || file === null || readRecord(file).kind !== 'none') return false;
  return answers(socket).then(
    (isThere) => !isThere,
    () => false,
  );
}

/**
 * What the daemon gives a primary: the parameters of its app, in a file or on stdin, and inherited
 * descriptors.
 * @typedef {PrimaryLaunch & {daemon: Omit<DaemonLaunch, 'home' | 'log' | 'env'> | null}} LaunchFile
 *
 * @typedef {object} Descriptors
 * @property {number} [starter] a pipe that closes when the daemon that started this primary exits
 * @property {InheritedSocket[]} [sockets]
 * @property {Output} [output]
 *
 * The files of this primary. Another user than the daemon's may not enter the home directory: its
 * files are in its working directory, and the daemon keeps the other two.
 * @typedef {Pick<AppPaths, 'workers' | 'socket' | 'handover'>
 *   & {launch: string | null, record: string | null}} PrimaryPaths
 *
 * @typedef {{file: LaunchFile, text: string, isOtherUser: boolean,
 *   paths: PrimaryPaths & Pick<HomePaths, 'logFile'>, firstPaths: PrimaryPaths}} Launch `firstPaths`:
 *   where daemons find it until its predecessor has exited
 */

/**
 * @param {string} source the path of the launch file, or `-` for stdin as another user than the
 *   daemon's
 * @returns {Launch}
 */
export function readLaunch(source) {
  const isOtherUser = source === '-';
  const text = readFileSync(isOtherUser ? 0 : source, 'utf8');
  /** @type {LaunchFile} */
  const file = JSON.parse(text);
  const { app, successor, logFile } = homePaths(file.home);
  const { name } = file.spec;
  const paths = isOtherUser
    ? { ...pathsInUserDirectory(), launch: null, record: null }
    : { ...app(name), logFile };
  const firstPaths = file.after ? successor(name) : paths;
  return { file, text, isOtherUser, paths, firstPaths };
}
