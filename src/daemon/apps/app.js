/** One app as the daemon knows it: its desired state, and the link to its primary. */
import { EventEmitter } from 'node:events';
import { requestTimeout } from '../delays.js';
import { WITHOUT_PROCESS } from './record.js';
import { withCount, workerCount } from './slots.js';
import { PrimaryLink } from '../primaries/link.js';
import { CommandQueue } from './command-queue.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Services } from '../primaries/link.js'
 * @import { DesiredApp } from './desired.js'
 */

/** Events: those of its link, see there. */
export class App extends EventEmitter {
  /** When its primary was lost, and its workers with it; monotonic. */
  lostAt = -Infinity;
  /** Since this daemon has known it. */
  hasBeenReady = false;
  /** Nothing restarts a deleted app, whatever its primary still reports. */
  deleted = false;
  /** Starts it, which waits, once that can be; set by its supervision. */
  startLater = () => {};
  /** Whether it still serves, for `shutdown_delay`, and is about to stop. */
  isLeaving = false;
  /** To another primary, which takes the place of the one that it has. @type {PrimaryLink | null} */
  second = null;
  #services;

  /** @param {DesiredApp} desired @param {Services} services */
  constructor(desired, services) {
    super();
    this.spec = desired.spec;
    this.generation = desired.generation;
    this.stopped = desired.stopped;
    this.waitsFor = desired.waitsFor;
    this.killed = desired.killed;
    this.deleting = desired.deleting;
    this.slots = desired.slots;
    this.stoppedSlots = desired.stoppedSlots;
    this.ids = desired.ids;
    this.rollout = desired.rollout;
    this.listeningRecord = desired.listeningRecord;
    this.createdAt = desired.createdAt;
    this.changes = desired.changes;
    this.#services = services;
    this.link = new PrimaryLink(this, desired.primary, services);
    if (desired.successor !== null) this.linkSecond(desired.successor);
    this.queue = new CommandQueue(this);
  }

  /** @param {number | null} [id] of that primary, if an earlier daemon has started it @returns {PrimaryLink} */
  linkSecond(id = null) {
    this.second ??= new PrimaryLink(this, id, this.#services);
    return this.second;
  }

  /** The second primary is the only one now; the caller saves that. */
  takeSecond() {
    if (this.second === null) return;
    this.link.heldSockets.close();
    this.link = this.second;
    this.second = null;
    const { state, snapshot } = this.link;
    if (state !== 'none') this.emit('connected');
    if (state !== 'none' && snapshot) this.emit('state', snapshot);
  }

  get name() {
    return this.spec.name;
  }

  get namespace() {
    return this.spec.namespace;
  }

  get dependsOn() {
    return this.spec.dependsOn;
  }

  /** How many workers it should have. */
  get count() {
    return this.slots.length - this.spec.spares;
  }

  get desiredSlots() {
    return this.stopped ? [] : this.slots.filter((slot) => !this.stoppedSlots.includes(slot));
  }

  /** Which of these slots a start fills: nothing runs on demand before something asks for it. @param {number[]} slots */
  toFill(slots) {
    return this.spec.onDemand ? [] : slots;
  }

  /** The apps that it waits for; null: it is not about to be started. */
  get awaited() {
    return this.stopped ? this.waitsFor : null;
  }

  get isWaiting() {
    return this.awaited !== null;
  }

  /** Also what a command was about to start. */
  desireStop() {
    this.stopped = true;
    this.waitsFor = null;
  }

  /** Whether it has no primary, because it was stopped or because none could be started. */
  get isDown() {
    return this.link.state === 'none';
  }

  /** False: no worker runs, or each has crashed and is being started again. */
  get isRunning() {
    const { state, snapshot } = this.link;
    if (state === 'none') return false;
    if (state === 'unknown' || snapshot === null || this.spec.onDemand) return true;
    return snapshot.slots.some(
      ({ status, lastExit }) =>
        !WITHOUT_PROCESS.includes(status) && !(status === 'starting' && lastExit),
    );
  }

  /** Whether a worker has given up and waits for a command. */
  get hasGivenUp() {
    if (this.spec.onDemand) return false;
    const slots = this.link.snapshot?.slots ?? [];
    return slots.some(({ status }) => status === 'errored' || status === 'exited');
  }

  /** Whether a worker has crashed, and waits for its next start. */
  get isInBackoff() {
    return this.link.snapshot?.slots.some(({ status }) => status === 'backoff') ?? false;
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {K} method @param {PrimaryMethods[K]['params'] & {spec?: Spec, slots?: number[]}} params
   * @param {{report?: ReportProgress, link?: PrimaryLink, addedMs?: number}} [options] link: to another primary of the app;
   *   addedMs: by how much longer it takes than others
   * @throws E_PRIMARY_SILENT, E_PRIMARY_GONE, E_PRIMARY_LOST, or what the primary threw
   */
  request(method, params, { report, link = this.link, addedMs = 0 } = {}) {
    const count = Math.max(this.slots.length, params.slots?.length ?? 0);
    const timeouts = [this.spec, params.spec ?? this.spec].map((spec) =>
      requestTimeout(method, spec, count),
    );
    const timeoutMs = Math.max(...timeouts) + addedMs;
    return link.request(method, params, { report, timeoutMs });
  }

  /** @param {number[] | null} slots to run in addition to those that do; null: all */
  desireSlots(slots) {
    this.killed = false;
    this.deleting = false;
    const stopped = this.stopped ? this.slots : this.stoppedSlots;
    this.stoppedSlots = slots === null ? [] : stopped.filter((slot) => !slots.includes(slot));
    this.stopped = false;
    this.waitsFor = null;
  }

  /** Only scaling changes the number of workers, whatever the spec says. @param {Spec} spec @returns {Spec} */
  withOwnCount(spec) {
    const count = this.slots.length - spec.spares;
    const isOwn = workerCount(spec.instances, count) === count;
    return isOwn ? spec : withCount(spec, this.spec.instances);
  }

  /** What serves is not a spare before there is a slot for that. @param {Spec} spec @returns {Spec} */
  withOwnSlots(spec) {
    return { ...spec, spares: this.spec.spares };
  }

  toDesired() {
    const { spec, generation, stopped, killed, deleting, slots, stoppedSlots } = this;
    const { ids, rollout, listeningRecord, createdAt, changes, link, second } = this;
    const ofUser = { spec, stopped, waitsFor: this.awaited, killed, deleting, slots, stoppedSlots };
    const ofRun = { generation, ids, rollout, listeningRecord, createdAt, changes };
    return { ...ofUser, ...ofRun, primary: link.id, successor: second?.id ?? null };
  }
}
