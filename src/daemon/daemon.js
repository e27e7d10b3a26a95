/** The daemon of one home directory: finds running apps, keeps them running, answers requests. */
import { existsSync } from 'node:fs';
import { serve } from '../protocol/server.js';
import { sharePending, within } from '../shared/deadline.js';
import { enterHome } from '../shared/home.js';
import { PACKAGE_ROOT } from '../shared/package/root.js';
import { Keeper } from '../shared/presence.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { VERSION } from '../shared/version.js';
import { stopForShutdown } from './actions/stop.js';
import { KeptCopies, removeUnusedCopies } from './copies.js';
import { AppTable } from './apps/table.js';
import { allowedSlots, followsCores } from './apps/slots.js';
import { methodsOf } from './control/methods.js';
import { Door } from './control/door.js';
import { EventHub } from './events.js';
import { Telemetry, Metrics } from './queries/telemetry.js';
import { offerSockets, takeLock } from './lock.js';
import { recoverAll, supervise } from './actions/recovery.js';
import { findPrimaries, lookForPrimaries } from './actions/adopt.js';
import { watchedApps } from './queries/apps.js';
import { features } from '../features/daemon.js';
import { Features } from './features.js';

/**
 * @import { AppOutcome } from '../protocol/shapes.js'
 * @import { ProtocolServer } from '../protocol/server.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { HandedSockets } from './lock.js'
 * @import { Output } from '../shared/processes/records.js'
 * @import { Log } from './log.js'
 */

/** What every command and query works with. */
export class Daemon {
  metrics = new Metrics();
  telemetry = new Telemetry();
  watched = sharePending(() => watchedApps(this));
  changes = 0;
  /** After each command on an app. @type {(outcome: AppOutcome) => void} */
  onOutcome = () => {};
  /** `run` was asked to stop, so it is not ready any more. */
  isShuttingDown = false;
  /** Nothing new is started. */
  isEnding = false;

  /**
   * @param {HomePaths} paths @param {Log} log
   * @param {InheritedSocket[]} sockets that were opened for this daemon; each primary inherits them
   * @param {Output | null} output of `run`, where the output of the workers goes
   * @param {() => void} end ends the daemon for good after the current request has been answered
   */
  constructor(paths, log, sockets, output, end) {
    this.paths = paths;
    this.log = log;
    this.table = new AppTable(paths, log);
    Object.assign(this.table.primaries, { sockets, output });
    this.output = output;
    this.end = end;
    this.features = new Features(features, new Door(this));
    this.events = new EventHub(paths.events);
    this.events.onEvent = (...happened) => this.features.event(...happened);
  }
}

/** @typedef {Awaited<ReturnType<typeof startDaemon>>} RunningDaemon */

/** ms for interrupted commands to save their progress. */
const SAVE_MS = 2000;

/**
 * @param {HomePaths} paths of a home whose lock this process holds
 * @param {Log} log
 * @param {{sockets: InheritedSocket[], handed?: HandedSockets}} inherited sockets: opened for this daemon; handed: held by the one before
 * @param {(isSuperseded: boolean) => void} onEnded isSuperseded: another daemon has its apps now
 * @param {Output | null} [output] of `run`
 */
export async function startDaemon(paths, log, { sockets, handed }, onEnded, output = null) {
  const end = () => setImmediate(leave, 'kill', { isLast: true });
  const daemon = new Daemon(paths, log, sockets, output, end);
  const copies = new KeptCopies(paths.versions);
  // Before anything is done: this fails if another daemon answers, whose lock was removed.
  const methods = methodsOf(daemon, () => adopted);
  const server = await serve(paths.daemonSocket, { methods, hello: { role: 'daemon' } });
  const { lastSeenAt } = daemon.events;
  daemon.events.note('daemon.started', lastSeenAt === undefined ? {} : { lastSeenAt });
  const adopted = adoptAll(daemon, handed, copies.keep([PACKAGE_ROOT]));
  const endOffer = await offerSockets(paths.daemonHandover, daemon.table, log);
  const keeper = lookAfterHome(daemon, server, copies, abandon);
  const { home } = paths;
  log.info('daemon.started', { version: VERSION, node: process.version, home, root: PACKAGE_ROOT });
  return {
    leave,
    /** The next daemon starts them again. */
    stopApps: () => stopForShutdown(daemon),
    /** Every app that should run has been found, or started once. */
    whenRecovered: adopted.then(({ recovered }) => recovered),
    daemon,
  };

  /**
   * The apps keep running, and unless this is the last daemon, their primaries start another.
   * @param {string} because @param {{isLast: boolean}} then
   */
  async function leave(because, { isLast }) {
    daemon.isEnding = true;
    const left = daemon.table.all().filter(({ isDown }) => !isDown);
    log.info('daemon.ending', { because, goesOn: left.map(({ name }) => name) });
    void keeper.end();
    endOffer();
    await server.close();
    await Promise.all(daemon.table.primaries.all().map((primary) => primary.leave({ isLast })));
    await within(Promise.all(daemon.table.all().map(({ queue }) => queue.whenDone())), SAVE_MS);
    await Promise.all([daemon.table.saveOrRetry(), ...daemon.features.ask('ending')]);
    daemon.events.note('daemon.ended', { because });
    log.info('daemon.ended');
    onEnded(false);
  }

  /** Another daemon has the lock, and with it the apps and their desired state. @param {number} pid */
  async function abandon(pid) {
    daemon.isEnding = true;
    log.error('daemon.superseded', { by: pid });
    await server.close();
    onEnded(true);
  }
}

/**
 * Connects to every primary that runs before anything is shown or started, then starts what is missing in the
 * background.
 * @param {Daemon} daemon @param {HandedSockets} [handed]
 * @param {Promise<unknown>} [kept] what a command has started must survive the loss of its files from then on
 */
async function adoptAll(daemon, handed = new Map(), kept) {
  const { table } = daemon;
  for (const app of table.all()) {
    supervise(daemon, app);
    for (const [name, handle] of handed.get(app.name)?.take() ?? [])
      app.link.heldSockets.add(name, handle);
  }
  await findPrimaries(daemon);
  const apps = table.all();
  for (const app of apps) {
    const { spec, isDown } = app;
    if (isDown && app.stopped) app.link.heldSockets.close();
    // It is started with as many workers as this machine allows, not the one that it was saved on. One that runs is
    // scaled by a feature.
    if (isDown && followsCores(spec.instances)) table.setSlots(app, allowedSlots(spec, app));
  }
  for (const app of apps) daemon.features.ask('sync', app);
  removeUnusedCopies(daemon);
  const recovered = recoverAll(daemon, apps);
  await kept;
  return { recovered };
}

/**
 * Keeps the daemon reachable and able to start processes: a cleaner or a user may remove its socket, its lock or the
 * whole home directory.
 * @param {Daemon} daemon @param {ProtocolServer} server @param {KeptCopies} copies
 * @param {(pid: number) => void} onSuperseded called once, when another process that runs holds the lock
 */
function lookAfterHome(daemon, server, copies, onSuperseded) {
  const { paths, table, log } = daemon;
  const { home, daemonSocket: socket, primariesDir, versions } = paths;
  // Nothing is copied of a checkout.
  const places = [home, primariesDir, versions].filter((directory) => existsSync(directory));
  const onTrouble = (/** @type {string} */ reason) => log.error('home.unusable', { home, reason });
  const keeper = new Keeper(places, restore, onTrouble);
  return keeper;

  async function restore() {
    if (enterHome(home)) log.warn('home.restored', { home });
    const holder = daemonPid(home);
    if (holder !== null && holder !== process.pid) {
      void keeper.end();
      table.abandon();
      onSuperseded(holder);
      return false;
    }
    // If another process is faster, the next check finds it.
    if (holder === null && takeLock(home)) log.warn('lock.restored', { home });
    if (!(await server.isReachable())) {
      await server.listenAgain();
      log.warn('socket.restored', { socket });
    }
    copies.keep([PACKAGE_ROOT, ...table.primaries.all().map(({ record }) => record?.root)]);
    const files = await copies.restore();
    if (files > 0) log.warn('copies.restored', { versions, files });
    await lookForPrimaries(daemon);
    return !(await table.restore());
  }
}
