/** Does a cluster cost more than it brings, with light requests? */
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { loadtest } from '../comparison/load/loadtest.js';
import { FIGURES, measureLoads, programOf } from '../comparison/loads.js';

/** @import { Case } from '../comparison/types.js' */

const CLIENTS = 100;
/** The article sends 1,000 for each. These numbers take a second or two on two cores. */
const REQUESTS = { 50: 1_500, '5,000': 1_500, '500,000': 600, '5,000,000': 150 };

const { perSecond, cpuUs, meanMs, p99Ms, failed } = FIGURES;
const figures = [perSecond, cpuUs, meanMs, p99Ms, failed];
const before = loadtest({ requests: 100, clients: CLIENTS });
const loads = Object.fromEntries(
  Object.entries(REQUESTS).map(([n, requests]) => [
    `n = ${n}`,
    {
      load: loadtest({ requests, clients: CLIENTS }),
      path: `/api/${n.replaceAll(',', '')}`,
      before,
    },
  ]),
);

/** @type {Case} */
const sums = {
  section: 'Published results',
  title: 'A sum behind Express',
  about: `\`GET /api/:n\` adds 0 to n. \`loadtest -c ${CLIENTS}\` with 150 to 1,500 requests, a connection for each. The article had four cores.`,
  candidates: ['single process', ...PEERS, ...POLICIES.filter((name) => !name.includes('sticky'))],
  rounds: 1,
  seconds: 12,
  figures,
  measure: measureLoads({ script: programOf('sums.cjs') }, loads, figures),
};

export default sums;
