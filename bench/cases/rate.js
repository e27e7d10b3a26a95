/** What happens to requests that one process is too slow for? */
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { loadtest } from '../comparison/load/loadtest.js';
import { FIGURES, measureLoads, programOf } from '../comparison/loads.js';

/** @import { Case } from '../comparison/types.js' */

const REQUESTS = 200;
const PER_SECOND = 50;
const { perSecond, cpuUs, meanMs, p99Ms, failed } = FIGURES;
const figures = [perSecond, cpuUs, meanMs, p99Ms, failed];
const variant = 'GET /';
const before = loadtest({ requests: 20, clients: 2 });
const loads = {
  [variant]: { load: loadtest({ requests: REQUESTS, clients: 8, perSecond: PER_SECOND }), before },
};

/** @type {Case} */
const rate = {
  section: 'Published results',
  title: 'More expensive requests than one process can answer',
  about: `A route computes for some 25 ms and gets ${PER_SECOND} requests a second, which is more than one process answers: \`loadtest -c 8 --rps ${PER_SECOND} -n ${REQUESTS}\` (the article: \`-n 1000\`; so fewer requests time out here).`,
  candidates: ['single process', ...PEERS, ...POLICIES.filter((name) => !name.includes('sticky'))],
  rounds: 1,
  seconds: 9,
  figures,
  published: [
    { variant, figure: 'perSecond', single: 22, cluster: 43 },
    { variant, figure: 'meanMs', single: 6_955.9, cluster: 224.9 },
  ],
  measure: measureLoads({ script: programOf('expensive.cjs') }, loads, figures),
};

export default rate;
