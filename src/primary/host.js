/**
 * The apps of this primary: each has its own sockets, workers and logs. The process exits when the last one has ended.
 */
import { NodeclusterError } from '../errors/error.js';
import { homePaths, pathsInUserDirectory } from '../shared/home.js';
import { identify } from '../shared/processes/identity.js';
import { makeRecord } from '../shared/processes/primary-record.js';
import { HostedApp } from './hosted-app.js';
import { logInPrimary } from './log/primary-log.js';
import { methodsOfApps, methodsOfProcess } from './methods.js';
import { Presence } from './presence.js';
import { RecordFile } from './processes/record.js';
import { snapshotOf } from './snapshot.js';

/**
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { Handler, Handlers, RequestContext } from '../protocol/wire.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { PrimaryLaunch, ProcessIdentity } from '../shared/processes/records.js'
 * @import { DaemonLink } from './daemon-link.js'
 * @import { Surroundings } from './pool/app.js'
 */

/**
 * @typedef {PrimaryMethods['subscribe']['params']} Subscription
 * @typedef {RequestContext<PrimaryMethods['subscribe']['notifications']>} Subscriber
 *
 * @typedef {Pick<Surroundings, 'baseEnv' | 'output'>} Process what all apps of a primary have in common
 */

/** In this time, so many bugs end a primary of several apps; a single one any other. */
const BUG_WINDOW_MS = 60_000;
const MAX_BUGS = 100;
/** ms for the next daemon to find a primary without apps whose starter has exited, also on a busy machine. */
const ABANDONED_MS = 10_000;

export class Host {
  /** @type {Map<string, HostedApp>} by name */
  #apps = new Map();
  /** Monotonic times of the latest bugs. @type {number[]} */
  #bugMs = [];
  /** Daemons that are told of each app. @type {Set<Subscriber>} */
  #subscribers = new Set();
  /** Its last app has ended. */
  #isEnding = false;
  #launch;
  #common;
  #inherited;
  #exit;
  #paths;
  #record;
  /** @type {Record<string, Handler<any>>} */
  #methods;
  #presence;

  /**
   * @param {PrimaryLaunch} launch
   * @param {DaemonLink} daemonLink
   * @param {Process} common
   * @param {InheritedSocket[]} inherited by this process, for its first app
   * @param {(code: number) => void} exit
   */
  constructor(launch, daemonLink, common, inherited, exit) {
    const { home, id, isOtherUser } = launch;
    const own = homePaths(home);
    this.daemonLink = daemonLink;
    this.#launch = launch;
    this.#common = common;
    this.#inherited = inherited;
    this.#exit = exit;
    this.#paths = isOtherUser
      ? pathsInUserDirectory()
      : { ...own.primary(id), logFile: own.logFile };
    const identity = /** @type {ProcessIdentity} */ (identify(process.pid));
    const { record, socket } = this.#paths;
    this.#record = new RecordFile(record, makeRecord(identity, socket, launch));
    this.#methods = methodsOfProcess(this);
    const methods = /** @type {Handlers<PrimaryMethods>} */ (this.#methods);
    this.#presence = new Presence(methods, this.#paths, this.#record, launch);
    this.#showName();
  }

  /** @returns {Promise<void>} when daemons find it */
  listen() {
    return this.#presence.listen();
  }

  /** @param {unknown} name @returns {HostedApp | undefined} */
  app(name) {
    return this.#apps.get(String(name));
  }

  /** The daemon that was to give it an app has exited. */
  starterExited() {
    if (this.#apps.size > 0) return;
    const end = () => {
      if (this.#apps.size === 0 && this.#subscribers.size === 0) void this.#end();
    };
    setTimeout(end, ABANDONED_MS);
  }

  shutDown() {
    if (this.#apps.size === 0) void this.#end();
    for (const app of this.#apps.values()) void app.shutDown();
  }

  /** The state of one app may be wrong now, that of the others is not. @param {unknown} error that nothing caught */
  noteBug(error) {
    logInPrimary(/** @type {Error | undefined} */ (error)?.stack ?? String(error));
    const nowMs = performance.now();
    this.#bugMs = [...this.#bugMs.filter((atMs) => nowMs - atMs < BUG_WINDOW_MS), nowMs];
    if (this.#apps.size < 2 || this.#bugMs.length > MAX_BUGS) this.#exit(1);
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
      if (!earlier.isEnding) return null;
    }
    if (this.#isEnding)
      throw new NodeclusterError('E_PROTOCOL_PARAMS', { method: 'host', key: 'spec' });
    const files = { home: this.#launch.home, paths: this.#paths };
    const app = new HostedApp(order, { ...this.#common, ...files }, this.#record);
    Object.assign(this.#methods, methodsOfApps(this, app));
    this.#apps.set(name, app);
    this.#showName();
    void app.ended.then(() => this.#remove(app));
    const received = this.#presence.receive(name, order.sockets);
    if (app.handedOver) this.#presence.giver.add(name, app.handedOver);
    for (const ctx of this.#subscribers) app.follow(ctx, 0);
    void received.then((sockets) => app.run([...this.#inherited.splice(0), ...sockets]));
    return null;
  }

  /** @param {Subscription} daemon @param {Subscriber} ctx */
  subscribe({ after = {}, ...daemon }, ctx) {
    const apps = [...this.#apps.keys()];
    const isFirst = [...this.#subscribers].every(({ peer }) => peer !== ctx.peer);
    if (!isFirst) {
      for (const { app } of this.#apps.values()) ctx.notify('state', snapshotOf(app));
      return { apps };
    }
    if (ctx.peer.role === 'daemon') this.daemonLink.connected(ctx, daemon);
    this.#subscribers.add(ctx);
    ctx.onClose(() => this.#subscribers.delete(ctx));
    for (const [name, app] of this.#apps) app.follow(ctx, after[name] ?? 0);
    return { apps };
  }

  /** @param {HostedApp} app */
  #remove(app) {
    const { name } = app;
    this.#presence.giver.remove(name);
    if (this.#apps.get(name) === app) this.#apps.delete(name);
    for (const ctx of this.#subscribers) ctx.notify('left', { app: name });
    if (this.#apps.size === 0) return void this.#end();
    this.#record.forget(name);
    this.#showName();
  }

  async #end() {
    this.#isEnding = true;
    this.daemonLink.close();
    await this.#presence.close();
    this.#exit(0);
  }

  #showName() {
    const names = [...this.#apps.keys()];
    const shown = names.length === 1 ? names[0] : `${names.length} apps`;
    process.title = `nodecluster: ${shown}`;
  }
}
