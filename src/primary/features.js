/** What features add to a primary. It knows none by name: src/features/primary.js lists them. */
import { NodeclusterError } from '../errors/error.js';
import { logInPrimary } from './log/primary-log.js';

/**
 * @import { PrimaryMethods, Variables } from '../protocol/methods.js'
 * @import { FeaturePrimaryMethods, FeatureSlotState, FeatureSnapshot } from '../features/record.js'
 * @import { Handler, Handlers } from '../protocol/wire.js'
 * @import { Fact } from '../protocol/shapes.js'
 * @import { FirstCheck } from '../lifecycle/readiness.js'
 * @import { App } from './pool/app.js'
 * @import { WorkerHandle } from './worker/handle.js'
 *
 * @typedef {object} WorkerPart what features have to say and do about one worker; every member is optional, and one feature's
 * @property {() => Fact | null} [trouble] why it must get no traffic; null: it may
 * @property {() => FirstCheck | null} [firstCheck] what must succeed before it is online; null: nothing
 * @property {(() => Promise<Variables>) | null} [variables] what its environment has besides, read before it is started; rejects:
 *   it cannot be at the moment; null: nothing
 * @property {(chunk: Buffer) => Buffer} [stderr] what it writes there, without what is not of its program
 * @property {() => FeatureSlotState} [fields] of its slot
 *
 * @typedef {object} Feature every hook is optional. What one throws is logged, and is as if it had nothing to say
 * @property {(worker: WorkerHandle) => WorkerPart} [worker] before it is started
 * @property {() => Partial<FeatureSnapshot>} [snapshot] its fields of what the daemon gets after each change
 * @property {{[K in keyof PrimaryMethods]?: Handler<PrimaryMethods[K]>}} [methods] requests that it answers
 *
 * @typedef {<F extends (...args: any[]) => any>(own: F, instead?: F) => F} Guard of what a listener or a timer calls: what it
 *   throws or rejects with is logged, and `instead` is called
 *
 * @typedef {(app: App, directory: string, guard: Guard) => Feature} MakeFeature directory: of the files of this primary
 */

/** @type {Required<WorkerPart>} */
const NO_PART = {
  trouble: () => null,
  firstCheck: () => null,
  variables: null,
  stderr: (chunk) => chunk,
  fields: () => ({}),
};

/** What cannot be checked has not passed. */
const NOT_PASSED = { hasPassed: false, failure: null, startPeriodMs: 0 };
const INSTEAD = { ...NO_PART, firstCheck: () => NOT_PASSED };
/** Lines about failures: a feature may be asked for each request. */
const MAX_LOGGED = 100;

export class Features {
  /** @type {(Feature & {name: string})[]} */
  #all;
  #logged = new Set();
  #log;

  /** @param {Record<string, MakeFeature>} makers by name @param {App} app @param {string} directory */
  constructor(makers, app, directory, log = logInPrimary) {
    this.#log = log;
    this.#all = Object.entries(makers).map(([name, make]) => ({
      name,
      ...this.#guarded(name, make)(app, directory, this.#guarded.bind(this, name)),
    }));
  }

  /** @param {WorkerHandle} worker @returns {Required<WorkerPart>} of all features */
  partsOf(worker) {
    const parts = this.#all.flatMap(({ name, worker: own = () => ({}) }) =>
      Object.entries(this.#guarded(name, own)(worker) ?? {}).map(([key, part]) => {
        const instead = INSTEAD[/** @type {keyof WorkerPart} */ (key)];
        return [key, part && instead ? this.#guarded(name, part, instead) : part];
      }),
    );
    return { ...NO_PART, ...Object.fromEntries(parts) };
  }

  /** @returns {FeatureSnapshot} */
  get snapshot() {
    const all = this.#all.map(({ name, snapshot = () => ({}) }) => this.#guarded(name, snapshot)());
    return Object.assign({}, ...all);
  }

  /** @returns {Handlers<FeaturePrimaryMethods>} */
  get methods() {
    return Object.assign({}, ...this.#all.map(({ methods }) => methods));
  }

  /** @param {string} feature @param {Function} own @param {Function} [instead] if it throws @returns {(...args: any[]) => any} */
  #guarded(feature, own, instead = () => undefined) {
    return (...args) => {
      const failed = (/** @type {unknown} */ thrown) => {
        const line = `${feature} has failed: ${NodeclusterError.from(thrown).message}`;
        const isNew = !this.#logged.has(line) && this.#logged.size < MAX_LOGGED;
        if (isNew) this.#log(line);
        if (isNew) this.#logged.add(line);
        return instead(...args);
      };
      try {
        const answer = own(...args);
        return answer instanceof Promise ? answer.catch(failed) : answer;
      } catch (thrown) {
        return failed(thrown);
      }
    };
  }
}
