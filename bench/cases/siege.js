/** How much more does a page that needs the processor get from two cores? */
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { siege } from '../comparison/load/siege.js';
import { FIGURES, measureLoads, programOf } from '../comparison/loads.js';

/** @import { Case } from '../comparison/types.js' */

const CLIENTS = 100;
/** The first answers come after a second or two, and pages before what they refer to. */
const LOAD_SECONDS = 10;
const { perSecond, cpuUs, meanMs, longestMs, failed } = FIGURES;
const figures = [perSecond, cpuUs, meanMs, longestMs, failed];
const variant = 'GET /';
const before = siege({ clients: 4 });
const loads = { [variant]: { load: siege({ clients: CLIENTS }), before } };
const measure = measureLoads({ script: programOf('site/app.cjs') }, loads, figures);

/** @type {Case} */
const besieged = {
  title: 'Siege of a page that needs the processor',
  // Express as its generator makes it; the root route computes for some 25 ms. Every second request is for the style sheet.
  candidates: ['single process', ...PEERS, ...POLICIES.filter((name) => !name.includes('sticky'))],
  rounds: 3,
  seconds: 14,
  figures,
  measure: (conditions) =>
    measure({ ...conditions, seconds: Math.max(conditions.seconds, LOAD_SECONDS) }),
};

export default besieged;
