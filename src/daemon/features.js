/** What features add to the daemon. It knows none by name: src/features/daemon.js lists them. */
import { NodeclusterError } from '../errors/error.js';
import { authors } from './apps/changes.js';
import { slotStates } from './apps/record.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { FeatureFields, FeatureRolling, FeatureWorkerFields } from '../features/record.js'
 * @import { App as AppRecord, Event, Field, Sender, SlotState } from '../protocol/shapes.js'
 * @import { App } from './apps/app.js'
 * @import { Described } from './control/describe-request.js'
 * @import { Row } from './control/methods.js'
 * @import { Door, SeenApp } from './control/door.js'
 * @import { Level } from './log.js'
 *
 * @typedef {Described & {by: Sender, refused?: string, waits?: undefined}} Asked of a client; refused: the code of the error
 *   with which it failed
 * @typedef {{command: string, waits: SeenApp}} Waiting for its turn on this app
 *
 * @typedef {object} Feature every hook is optional. What one throws is logged, and is as if it had nothing to say; only
 *   `check` throws on purpose
 * @property {(app: SeenApp) => void} [sync] after each change of an app, and for each app that a daemon finds
 * @property {(app: SeenApp, fields: readonly Field[]) => FeatureFields} [record] its fields of the record of an app; fields:
 *   what was asked for of what costs something
 * @property {(state: SlotState) => FeatureWorkerFields} [worker] its fields of the record of a worker
 * @property {(apps: SeenApp[], fields: readonly Field[]) => Promise<(app: SeenApp, record: AppRecord) => void>} [measure] asks the
 *   primaries for what only they know, and then adds it to the record of each app
 * @property {Record<string, Level>} [levels] at which daemon.log says that its events have happened, by their type
 * @property {(app: SeenApp) => string | null} [note] what else is worth knowing of an app whose primary answers
 * @property {(request: Asked | Waiting) => void} [asked] before what a client asks for is done, if it may change anything,
 *   again if that is refused, and for each app on which it waits
 * @property {(app: SeenApp, event: Event, isAgain: boolean) => Event | null | void} [event] of each that no program sent, before
 *   it is published; isAgain: its primary has sent it before. What it means for an app of its kind; null: nothing
 * @property {(app: SeenApp) => boolean} [startsAgain] whether it will start an app that has ended by itself
 * @property {() => Promise<void>} [ending] what must be done before the daemon ends
 * @property {(app: SeenApp, action: string, order: {spec?: Spec} & FeatureRolling) => void} [check] before a command does
 *   anything: throws what speaks against it. The order as far as the command has it
 * @property {Record<string, Row>} [methods] requests that it answers
 *
 * @typedef {Required<Omit<Feature, 'levels' | 'methods' | 'check' | 'event'>>} Hooks
 *
 * @typedef {(door: Door) => Feature} MakeFeature
 */

export class Features {
  /** @type {(Feature & {name: string})[]} */
  #all;
  #log;

  /** @param {Record<string, MakeFeature>} makers by name @param {Door} door */
  constructor(makers, door) {
    this.#log = door.log;
    this.#all = Object.entries(makers).map(([name, make]) => ({
      name,
      ...this.#guarded(name, 'make', make)(door),
    }));
    this.levels = new Map(this.#all.flatMap(({ levels = {} }) => Object.entries(levels)));
  }

  /**
   * @template {Omit<AppRecord, keyof FeatureFields>} R
   * @param {App} app @param {R} record of the kernel @param {readonly Field[]} fields
   */
  record(app, record, fields) {
    const isKnown = app.link.state === 'connected';
    const notes = isKnown ? this.ask('note', app) : [];
    const note = [...notes, record.note].filter(Boolean).join('; ');
    const added = this.ask('record', app, fields);
    for (const [index, state] of slotStates(app).entries()) {
      Object.assign(record.workers[index], ...this.ask('worker', state));
    }
    return Object.assign(record, ...added, note && { note });
  }

  /**
   * Asks the features that have it.
   * @template {keyof Hooks} K
   * @param {K} hook @param {Parameters<Hooks[K]>} args @returns {ReturnType<Hooks[K]>[]}
   */
  ask(hook, ...args) {
    return this.#all.flatMap(({ name, [hook]: own }) =>
      own ? [this.#guarded(name, hook, own)(...args)] : [],
    );
  }

  /** @param {Parameters<Required<Feature>['check']>} order */
  check(...order) {
    for (const { check } of this.#all) check?.(...order);
  }

  /** @param {App} app @param {Event} event @param {boolean} isAgain @returns {Event | null} */
  event(app, event, isAgain) {
    /** @type {Event | null} */
    let meant = event;
    for (const { name, event: own } of this.#all) {
      if (!own || meant === null) continue;
      const answer = this.#guarded(name, 'event', own)(app, meant, isAgain);
      if (answer !== undefined) meant = answer;
    }
    return meant;
  }

  /**
   * @param {string} feature
   * @param {string} hook
   * @param {Function} own
   * @returns {(...args: any[]) => any} undefined: it has failed. Likewise what it promises, also a function
   */
  #guarded(feature, hook, own) {
    const guard = (/** @type {unknown} */ answer) =>
      typeof answer === 'function' ? this.#guarded(feature, hook, answer) : answer;
    return (...args) => {
      const failed = (/** @type {unknown} */ thrown) => {
        const { message: reason } = NodeclusterError.from(thrown);
        this.#log.error('feature.failed', { feature, hook, app: args[0]?.name, reason });
      };
      try {
        const answer = own(...args);
        return answer instanceof Promise ? answer.then(guard).catch(failed) : answer;
      } catch (thrown) {
        return failed(thrown);
      }
    };
  }

  /** @returns {Record<string, Row>} */
  get methods() {
    return Object.assign({}, ...this.#all.map(({ methods }) => methods));
  }
}

/**
 * What runs beside an app while its settings ask for it, and begins again when they change. Its `sync` is that hook.
 * @template {{end: () => void}} T
 * @param {(app: SeenApp) => string | null} keyOf these settings of an app that is not stopped; null: they ask for nothing
 * @param {(app: SeenApp) => T} begin
 */
export function besideApps(keyOf, begin) {
  /** @type {Map<SeenApp, {key: string, beside: T}>} */
  const running = new Map();
  return {
    /** @param {SeenApp} app @returns {T | undefined} undefined: nothing runs beside it */
    of: (app) => running.get(app)?.beside,
    all: () => [...running.values()].map(({ beside }) => beside),
    /** @param {SeenApp} app */
    sync(app) {
      const key = app.stopped || app.deleted ? null : keyOf(app);
      const current = running.get(app);
      if ((current?.key ?? null) === key) return;
      current?.beside.end();
      running.delete(app);
      if (key !== null) {
        // What it does later is not done by whoever gave the command that begins it.
        authors.run(undefined, () => running.set(app, { key, beside: begin(app) }));
      }
    },
  };
}
