/** One app of this primary, from its start to the last line of its logs: what daemons are told of it, and its end. */
import { methodsOf } from './methods.js';
import { App } from './pool/app.js';
import { hurry, shutdown } from './pool/commands.js';
import { PidFiles, pidsByPath } from './processes/record.js';
import { snapshotOf } from './snapshot.js';

/**
 * @import { HostedApp as Order, EarlierWorkers, PrimaryEvent } from '../protocol/methods.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { Subscriber } from './host.js'
 * @import { Surroundings } from './pool/app.js'
 * @import { RecordFile } from './processes/record.js'
 */

export class HostedApp {
  /** It has been asked to end, and nothing starts it again here. */
  isEnding = false;
  /** Resolves when nothing of it is left in this process. @type {Promise<void>} */
  ended;
  #onEnded = () => {};
  #pidFiles = new PidFiles();
  #order;
  #record;

  /** @param {Order} order @param {Surroundings} surroundings @param {RecordFile} record of this primary */
  constructor(order, surroundings, record) {
    this.#order = order;
    this.#record = record;
    this.app = new App(order, surroundings);
    if (order.isSecond) this.app.waitForPredecessor();
    this.methods = methodsOf(this);
    this.ended = new Promise((resolve) => (this.#onEnded = () => resolve()));
  }

  get name() {
    return this.app.name;
  }

  /** What the daemon holds too; null: the programs open their sockets themselves. */
  get handedOver() {
    return this.app.launch.spec.execMode === 'cluster' ? this.app.sockets.handedOver : null;
  }

  /** Starts its workers when those of an earlier primary allow it. @param {InheritedSocket[]} sockets */
  async run(sockets) {
    const { pool, launch } = this.app;
    const isFork = launch.spec.execMode === 'fork';
    if (!isFork) this.app.sockets.watch(sockets);
    const emptiesFirst = isFork || launch.listens === false;
    await this.app.previousWorkers.end(this.#order.previous, this.#order.spec, emptiesFirst);
    // Without a record, the next primary would not look for workers that this one did not live to record.
    await this.#noteWorkers();
    pool.on('change', () => {
      void this.#noteWorkers();
      this.#pidFiles.update(pidsByPath(this.app));
    });
    pool.start();
  }

  /** The other primary has ended; its workers may finish their requests. @param {EarlierWorkers} previous */
  async serve(previous) {
    this.app.serve();
    await this.app.previousWorkers.end(previous, this.#order.spec, false);
    return null;
  }

  #noteWorkers() {
    const { pool, previousWorkers } = this.app;
    return this.#record.update(this.name, pool.workers, previousWorkers.alive);
  }

  /** @param {Subscriber} ctx told of it from now on @param {number} after `seq` of the last event that it knows */
  follow(ctx, after) {
    const { pool, events, name } = this.app;
    const onChange = () => ctx.notify('state', snapshotOf(this.app));
    pool.on('change', onChange);
    const onEvent = (/** @type {PrimaryEvent} */ event) =>
      ctx.notify('event', { ...event, app: name });
    const endEvents = ctx.peer.role === 'daemon' ? events.connect(onEvent, after) : () => {};
    onChange();
    const end = () => {
      pool.off('change', onChange);
      endEvents();
    };
    ctx.onClose(end);
    void this.ended.then(end);
  }

  async shutDown() {
    this.isEnding = true;
    await shutdown(this.app);
    await this.end();
  }

  /** For a shutdown that hangs: its workers are killed, and nobody waits for them. */
  abandon() {
    this.app.pool.isEnding = true;
    hurry(this.app, true);
    setImmediate(() => this.#leave());
  }

  /** Everything that was written is on the disk before daemons see that it has ended. */
  async end() {
    this.isEnding = true;
    await this.app.pool.services.strays.whenIdle();
    await this.#pidFiles.whenIdle();
    await this.#record.whenIdle();
    await this.app.logs.end();
    this.#leave();
  }

  #leave() {
    this.isEnding = true;
    this.app.end();
    this.#onEnded();
  }
}
