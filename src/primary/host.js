/**
 * The process: its apps, of which each has its own sockets, workers and logs, and by what daemons find it, which is restored
 * where it is removed or changed. It exits when the last app has ended.
 */
import { rmSync, rmdirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { NodeclusterError, attempt } from '../errors/error.js';
import { acceptChannels } from '../protocol/handle-channel.js';
import { SocketGiver, SocketSet, holdFrom } from '../protocol/socket-set.js';
import { serve } from '../protocol/server.js';
import { within } from '../shared/deadline.js';
import { makeDirectory } from '../shared/files/directories.js';
import { homePaths, pathsInUserDirectory, restoreHome } from '../shared/home.js';
import { Keeper } from '../shared/presence.js';
import { identify } from '../shared/processes/identity.js';
import { makeRecord } from '../shared/processes/primary-record.js';
import { mayBeThere } from '../shared/unix-socket.js';
import { logInPrimary } from './log/primary-log.js';
import { methodsOfApps, methodsOfProcess, shutdown } from './methods.js';
import { App } from './pool/app.js';
import { RecordFile } from './processes/record.js';
import { snapshotOf } from './reports.js';

/**
 * @import { PrimaryEvent, PrimaryMethods } from '../protocol/methods.js'
 * @import { ProtocolServer } from '../protocol/server.js'
 * @import { Handler, Handlers, RequestContext } from '../protocol/wire.js'
 * @import { Handle, InheritedSocket } from '../shared/inherited-socket.js'
 * @import { PrimaryLaunch, ProcessIdentity } from '../shared/processes/records.js'
 * @import { DaemonLink } from './daemon-link.js'
 * @import { Surroundings } from './pool/app.js'
 *
 * @typedef {RequestContext<PrimaryMethods['subscribe']['notifications']>} Subscriber
 */

/** So many bugs end a primary of several apps; a single one any other. */
const MAX_BUGS = 100;
/** ms for the daemon to connect and hand over what it holds. */
const RECEIVE_MS = 10_000;

export class Host {
  /** @type {Map<string, App>} by name */
  #apps = new Map();
  #bugs = 0;
  /** Daemons that are told of each app. @type {Set<Subscriber>} */
  #subscribers = new Set();
  /** Its last app has ended. */
  #isEnding = false;
  /** What daemons hold too. */
  #giver = new SocketGiver();
  /** By app, what the daemon that asked to host it held; end: no more comes. @type {Map<unknown, {sockets: SocketSet<Handle>, end: () => void}>} */
  #received = new Map();
  #endHandover = () => {};
  /** @type {ProtocolServer | undefined} */
  #server;
  /** @type {Keeper | undefined} */
  #keeper;
  #launch;
  #common;
  #inherited;
  #exit;
  #paths;
  #record;
  /** @type {Record<string, Handler<any>>} */
  #methods;

  /**
   * @param {PrimaryLaunch} launch
   * @param {DaemonLink} daemonLink
   * @param {Pick<Surroundings, 'baseEnv' | 'output'>} common to all its apps
   * @param {InheritedSocket[]} inherited by this process, for its first app
   * @param {(code: number) => void} exit
   */
  constructor(launch, daemonLink, common, inherited, exit) {
    const { home, id, isOtherUser } = launch;
    const own = homePaths(home);
    this.daemonLink = daemonLink;
    this.#launch = launch;
    this.#inherited = inherited;
    this.#exit = exit;
    this.#paths = isOtherUser
      ? pathsInUserDirectory()
      : { ...own.primary(id), logFile: own.logFile };
    const identity = /** @type {ProcessIdentity} */ (identify(process.pid));
    const { record, socket } = this.#paths;
    this.#record = new RecordFile(record, makeRecord(identity, socket, launch));
    this.#common = { ...common, home, paths: this.#paths, record: this.#record };
    this.#methods = methodsOfProcess(this);
    this.#showName();
  }

  /** @returns {Promise<void>} when daemons find it @throws {NodeclusterError} E_PROTOCOL_SOCKET */
  async listen() {
    const { socket, handover, record } = this.#paths;
    const methods = /** @type {Handlers<PrimaryMethods>} */ (this.#methods);
    this.#server = await serve(socket, { methods, hello: { role: 'primary' } });
    // Without it the apps are not protected against the loss of this process, but run.
    await this.#listenForChannels().catch(({ message }) =>
      logInPrimary(`The daemon does not hold the sockets: ${message}`),
    );
    // On a full disk the next daemon finds this process by its socket.
    await this.#record.write();
    this.#keeper = new Keeper(
      [socket, handover, record].map((each) => path.dirname(each)),
      () => this.#restore(),
      (reason) => logInPrimary(`Daemons cannot reach this process: ${reason}`),
    );
  }

  /** @param {unknown} name */
  app(name) {
    return this.#apps.get(String(name));
  }

  /** The daemon that was to give it an app has exited, and the next one starts another primary. */
  starterExited() {
    if (this.#apps.size === 0) void this.#end();
  }

  shutDown() {
    if (this.#apps.size === 0) void this.#end();
    for (const app of this.#apps.values()) void shutdown(app, {}).then(() => app.end());
  }

  /** The state of one app may be wrong now, that of the others is not. @param {unknown} error that nothing caught */
  noteBug(error) {
    logInPrimary(/** @type {Error | undefined} */ (error)?.stack ?? String(error));
    this.#bugs += 1;
    if (this.#apps.size < 2 || this.#bugs > MAX_BUGS) this.#exit(1);
  }

  /**
   * @param {PrimaryMethods['host']['params']} order
   * @returns {Promise<null>} when it is hosted
   * @throws {NodeclusterError} E_PROTOCOL_PARAMS: this process ends
   */
  async host(order) {
    const { name } = order.spec;
    for (let earlier; (earlier = this.#apps.get(name)); await earlier.ended) {
      // The same was requested before, without an answer in time or by a daemon that was killed meanwhile.
      if (!earlier.isEnding) return noted(earlier);
    }
    if (this.#isEnding)
      throw new NodeclusterError('E_PROTOCOL_PARAMS', { method: 'host', key: 'spec' });
    const app = new App(order, this.#common);
    Object.assign(this.#methods, methodsOfApps(this, app));
    this.#apps.set(name, app);
    this.#showName();
    void app.ended.then(() => this.#remove(app));
    const received = this.#receive(name, order.sockets);
    this.#giver.add(name, app.sockets.handedOver);
    for (const ctx of this.#subscribers) this.#tell(ctx, app);
    app.pool.on('change', () => {
      if (this.app(name) !== app) return;
      for (const ctx of this.#subscribers) ctx.notify('state', snapshotOf(app));
    });
    const inherited = this.#inherited.splice(0);
    app.previousWorkers.expect(order.previous);
    void received.then((sockets) => app.run(order.previous, [...inherited, ...sockets]));
    return noted(app);
  }

  /** @param {PrimaryMethods['subscribe']['params']} daemon @param {Subscriber} ctx */
  subscribe({ after = {}, ...daemon }, ctx) {
    const apps = [...this.#apps.keys()];
    const isFirst = [...this.#subscribers].every(({ peer }) => peer !== ctx.peer);
    if (!isFirst) {
      for (const app of this.#apps.values()) ctx.notify('state', snapshotOf(app));
      return { apps };
    }
    if (ctx.peer.role === 'daemon') this.daemonLink.connected(ctx, daemon);
    this.#subscribers.add(ctx);
    ctx.onClose(() => this.#subscribers.delete(ctx));
    for (const [name, app] of this.#apps) this.#tell(ctx, app, after[name]);
    return { apps };
  }

  /** @param {Subscriber} ctx @param {App} app @param {number} [after] `seq` of the last event that it knows */
  #tell(ctx, app, after = 0) {
    if (ctx.peer.role === 'daemon') {
      const send = (/** @type {PrimaryEvent} */ event) => {
        if (this.app(app.name) === app) ctx.notify('event', { ...event, app: app.name });
      };
      ctx.onClose(app.events.connect(send, after));
    }
    ctx.notify('state', snapshotOf(app));
  }

  /** @param {App} app */
  #remove(app) {
    const { name } = app;
    this.#giver.remove(name);
    if (this.#apps.get(name) === app) this.#apps.delete(name);
    for (const ctx of this.#subscribers) ctx.notify('left', { app: name });
    if (this.#apps.size === 0) return void this.#end();
    this.#record.forget(name);
    this.#showName();
  }

  /** Closes every connection, and removes what is here. */
  async #end() {
    this.#isEnding = true;
    this.daemonLink.close();
    // It would write again what is removed here.
    await this.#keeper?.end();
    await this.#record.whenIdle();
    this.#endHandover();
    await this.#server?.close();
    const { record } = this.#paths;
    attempt(() => rmSync(record, { force: true }), undefined);
    // A user's has log files; that of another user's primary, the daemon removes.
    if (!this.#launch.isOtherUser) attempt(() => rmdirSync(path.dirname(record)), undefined);
    this.#exit(0);
  }

  #showName() {
    const names = [...this.#apps.keys()];
    const shown = names.length === 1 ? names[0] : `${names.length} apps`;
    process.title = `nodecluster: ${shown}`;
  }

  /** @returns {Promise<boolean>} whether something could not be restored */
  async #restore() {
    const server = /** @type {ProtocolServer} */ (this.#server);
    const { handover, record } = this.#paths;
    const isReachable = await server.isReachable();
    const isHandingOver = await lstat(handover).then((found) => found.isSocket(), mayBeThere);
    const isRecorded = await this.#record.isThere();
    if (isReachable && isHandingOver && isRecorded) return false;
    if (!this.#launch.isOtherUser) {
      restoreHome(this.#launch.home);
      await makeDirectory(path.dirname(record), 0o700);
    }
    if (!isReachable) await server.listenAgain();
    if (!isRecorded) await this.#record.write();
    if (!isHandingOver) await this.#listenForChannels();
    // On a full disk it cannot be written, and nothing is thrown.
    if (!(await this.#record.isThere())) return true;
    logInPrimary(
      'A file by which daemons find this process had been removed or changed and was restored.',
    );
    return false;
  }

  /** A daemon says first whether it gives sockets or gets them. */
  async #listenForChannels() {
    this.#endHandover();
    this.#endHandover = await acceptChannels(this.#paths.handover, (channel) => {
      channel.once('message', (first, handle) => {
        if (handle === null) return this.#giver.giveTo(channel);
        holdFrom(channel, (owner) => this.#received.get(owner)?.sockets);
        channel.once('close', () => this.#received.get(first.owner)?.end());
        channel.emit('message', first, handle);
      });
    });
  }

  /**
   * What the daemon held meanwhile; fewer if it exits, or takes too long.
   * @param {string} app
   * @param {number} count
   */
  async #receive(app, count) {
    /** @type {SocketSet<Handle>} */
    const sockets = new SocketSet();
    const all = new Promise((resolve) => {
      const end = () => resolve(true);
      sockets.onChange = () => sockets.entries().length === count && end();
      this.#received.set(app, { sockets, end });
    });
    if (count > 0) await within(all, RECEIVE_MS);
    this.#received.delete(app);
    return sockets.take().map(([name, handle]) => ({ name, fd: handle.fd, handle }));
  }
}

/** The daemon forgets the earlier workers of an app when it has this answer. @param {App} app @returns {Promise<null>} */
async function noted(app) {
  await app.noteWorkers();
  return null;
}
