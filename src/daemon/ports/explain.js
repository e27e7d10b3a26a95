/** Adds to what a primary reports who has the port that a program could not get. */
import { describeListenFault } from '../../lifecycle/listen-fault.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { ListenFault, PastExit, SlotState } from '../../protocol/shapes.js'
 */

/**
 * @typedef {{reason?: string | null, after?: string, fault?: ListenFault | null}} Explainable
 *   after: why a worker is started again
 *
 * @callback HolderOf
 * @param {ListenFault} fault
 * @param {number} [atMs] when it happened (epoch); default: now
 * @returns {string | undefined}
 */

/**
 * @template {Explainable} T
 * @param {T} failure
 * @param {HolderOf} holderOf
 * @param {number} [atMs]
 */
export function explainFailure(failure, holderOf, atMs) {
  const { reason, after, fault } = failure;
  const text = reason ?? after;
  if (!text || fault?.code !== 'EADDRINUSE') return failure;
  const named = describeListenFault(fault, holderOf(fault, atMs));
  const explained = text.replace(describeListenFault(fault), () => named);
  return { ...failure, [reason ? 'reason' : 'after']: explained };
}

/**
 * @template T
 * @param {T} result of a request, which may be an outcome
 * @param {HolderOf} holderOf
 */
export function explainOutcome(result, holderOf) {
  const { failed } = /** @type {{failed?: unknown}} */ (result ?? {});
  if (!Array.isArray(failed)) return result;
  return { ...result, failed: failed.map((failure) => explainFailure(failure, holderOf)) };
}

/** @param {Snapshot} snapshot @param {HolderOf} holderOf @returns {Snapshot} */
export function explainSnapshot(snapshot, holderOf) {
  const { lastReload } = snapshot;
  const slots = snapshot.slots.map((slot) => explainSlot(slot, holderOf));
  return {
    ...snapshot,
    lastReload: lastReload && explainFailure(lastReload, holderOf, lastReload.at),
    slots,
  };
}

/** @param {SlotState} state @param {HolderOf} holderOf @returns {SlotState} */
function explainSlot(state, holderOf) {
  const { lastExit, earlierExits = [] } = state;
  const { fault, at } = lastExit ?? {};
  const { reason } = explainFailure({ reason: state.reason, fault }, holderOf, at);
  const explainExit = (/** @type {PastExit} */ exit) => explainFailure(exit, holderOf, exit.at);
  return {
    ...state,
    reason,
    lastExit: lastExit && explainExit(lastExit),
    earlierExits: earlierExits.map(explainExit),
  };
}
