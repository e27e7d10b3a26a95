/** One app as the daemon knows it: what is wanted of it, and the way to its primary. */
import { Lane } from './lane.js';
import { PrimaryLink } from '../primaries/link.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { Log } from '../log.js'
 * @import { DesiredApp } from './store.js'
 */

/**
 * A spec on its way to the workers. It is on the disk before the primary hears of it, so that a
 * daemon that follows this one knows what the generation that it finds was made of.
 * @typedef {object} Attempt
 * @property {Spec} spec
 * @property {number} generation
 */

export class App {
  /** @type {Spec} */
  spec;
  /** The highest that was ever given to this app's primary. */
  generation;
  /** Whether the user stopped all of it. */
  stopped;
  /** @type {number[]} in ascending order */
  slots;
  /** @type {Set<number>} those that the user stopped one by one */
  stoppedSlots;
  /** @type {Record<number, number>} worker ids by slot */
  ids;
  /** @type {Attempt | null} */
  attempt;
  /**
   * The last reload, when the primary could not even say how it ended.
   * @type {{ok: false, at: number, reason: string} | null}
   */
  lostReload = null;
  /** How many of them there were: no primary counts them. */
  lostReloads = 0;
  /** Nothing follows a deleted app, whatever still comes from its primary. */
  deleted = false;
  link;
  lane;

  /**
   * @param {DesiredApp} desired
   * @param {AppPaths} paths
   * @param {Log} log
   */
  constructor(desired, paths, log) {
    this.spec = desired.spec;
    this.generation = desired.generation;
    this.stopped = desired.stopped;
    this.slots = desired.slots;
    this.stoppedSlots = new Set(desired.stoppedSlots);
    this.ids = desired.ids;
    this.attempt = desired.attempt;
    this.link = new PrimaryLink(desired.spec.name, paths, log);
    this.lane = new Lane(desired.spec.name);
  }

  get name() {
    return this.spec.name;
  }

  get namespace() {
    return this.spec.namespace;
  }

  /** @returns {number[]} the slots that should have a worker */
  get wantedSlots() {
    return this.stopped ? [] : this.slots.filter((slot) => !this.stoppedSlots.has(slot));
  }

  /** Whether it has no primary, be it that the user stopped it or that none could be started. */
  get isDown() {
    return this.link.state === 'none';
  }

  /** Whether a worker has given up and waits for a command. */
  get hasGivenUp() {
    const given = ['errored', 'exited'];
    return (this.link.snapshot?.slots ?? []).some(({ status }) => given.includes(status));
  }

  /** The last reload, as the primary tells it, or else as this daemon saw it end. */
  get lastReload() {
    const told = this.link.snapshot?.lastReload ?? null;
    return this.lostReload && this.lostReload.at > (told?.at ?? 0) ? this.lostReload : told;
  }

  /**
   * Only scaling changes how many there are; whatever else a spec is for leaves their number.
   * @param {Spec} spec
   * @returns {Spec}
   */
  withOwnCount(spec) {
    const instances = this.slots.length;
    if (instances === spec.instances) return spec;
    const given = spec.given && { ...spec.given, instances: /** @type {const} */ ('scaled') };
    return { ...spec, instances, given };
  }

  /** @param {DesiredApp} before what toDesired() said then */
  restore({ stoppedSlots, ...before }) {
    Object.assign(this, before, { stoppedSlots: new Set(stoppedSlots) });
  }

  /** @returns {DesiredApp} */
  toDesired() {
    const { spec, generation, stopped, slots, ids, attempt } = this;
    return { spec, generation, stopped, slots, stoppedSlots: [...this.stoppedSlots], ids, attempt };
  }
}
