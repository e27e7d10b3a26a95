/** What features add to a primary. It knows none by name: src/features/primary.js lists them. */

/**
 * @import { PrimaryMethods, Variables } from '../protocol/methods.js'
 * @import { SlotFailure } from '../protocol/shapes.js'
 * @import { FeaturePrimaryMethods, FeatureSlotState, FeatureSnapshot } from '../features/record.js'
 * @import { Handler, Handlers } from '../protocol/wire.js'
 * @import { FirstCheck } from '../lifecycle/readiness.js'
 * @import { App } from './pool/app.js'
 * @import { Launch } from './pool/launch.js'
 * @import { ReloadParams } from './pool/reload.js'
 * @import { WorkerHandle } from './worker/handle.js'
 *
 * @typedef {object} WorkerPart what features have to say and do about one worker; every member is optional, and one feature's
 * @property {() => string | null} [trouble] why it must get no traffic, in words that follow 'it'; null: it may
 * @property {() => FirstCheck | null} [firstCheck] what must succeed before it is online; null: nothing
 * @property {(() => Promise<Variables>) | null} [variables] what its environment has besides, read before it is started; rejects:
 *   it cannot be at the moment; null: nothing
 * @property {(chunk: Buffer) => Buffer} [stderr] what it writes there, without what is not of its program
 *
 * @typedef {object} Trial of the first workers of a reload, which serve beside the old ones until it is decided
 * @property {boolean} isUndecided whether no other slot may be replaced yet
 * @property {(onFailed: (failure: SlotFailure) => void) => void} begin when each slot has what it will run
 * @property {() => void} end
 *
 * @typedef {object} Feature every hook is optional
 * @property {(worker: WorkerHandle) => WorkerPart} [worker] before it is started
 * @property {() => Partial<FeatureSnapshot>} [snapshot] its fields of what the daemon gets after each change
 * @property {(worker: WorkerHandle | undefined) => FeatureSlotState} [slot] its fields of a slot; undefined: that has no worker
 * @property {(launch: Launch, params: ReloadParams) => Trial | null} [trial] before a reload to this launch begins; null: none
 * @property {{[K in keyof PrimaryMethods]?: Handler<PrimaryMethods[K]>}} [methods] requests that it answers
 *
 * @typedef {(app: App, directory: string) => Feature} MakeFeature directory: of the files of this primary
 */

/** @type {Required<WorkerPart>} */
const NO_PART = {
  trouble: () => null,
  firstCheck: () => null,
  variables: null,
  stderr: (chunk) => chunk,
};

export class Features {
  #all;

  /** @param {readonly MakeFeature[]} makers @param {App} app @param {string} directory */
  constructor(makers, app, directory) {
    this.#all = makers.map((make) => make(app, directory));
  }

  /** @param {WorkerHandle} worker @returns {Required<WorkerPart>} of all features */
  partsOf(worker) {
    return Object.assign({}, NO_PART, ...this.#all.map((feature) => feature.worker?.(worker)));
  }

  /** @returns {FeatureSnapshot} */
  get snapshot() {
    return Object.assign({}, ...this.#all.map(({ snapshot }) => snapshot?.()));
  }

  /** @param {WorkerHandle} [worker] @returns {FeatureSlotState} */
  slot(worker) {
    return Object.assign({}, ...this.#all.map(({ slot }) => slot?.(worker)));
  }

  /** @param {Launch} launch @param {ReloadParams} params */
  trial(launch, params) {
    return this.#all.map(({ trial }) => trial?.(launch, params)).find(Boolean) ?? null;
  }

  /** @returns {Handlers<FeaturePrimaryMethods>} */
  get methods() {
    return Object.assign({}, ...this.#all.map(({ methods }) => methods));
  }
}
