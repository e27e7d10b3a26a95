import { probeVerdicts } from '../probes/verdicts.js';

/** @import { Handler } from '../control/methods.js' */

/** @type {Handler<'probe'>} */
export async function probe(daemon) {
  return probeVerdicts(daemon);
}
