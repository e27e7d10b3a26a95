/** What a new connection costs under each policy, and a request on a connection that is kept. */
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { ab } from '../comparison/load/ab.js';
import { FIGURES, measureLoads, programOf } from '../comparison/loads.js';

/** @import { Case } from '../comparison/types.js' */

const CLIENTS = 50;
const figures = [FIGURES.perSecond, FIGURES.cpuUs, FIGURES.p99Ms, FIGURES.failed];
const loads = {
  'a connection for each request': { load: ab({ clients: CLIENTS }) },
  'kept connections': { load: ab({ clients: CLIENTS, keepsConnections: true }) },
};

/** @type {Case} */
const connections = {
  title: 'Light requests on new and on kept connections',
  candidates: ['single process', ...PEERS, ...POLICIES],
  rounds: 5,
  seconds: 8,
  drawn: 'perSecond',
  figures,
  measure: measureLoads({ script: programOf('hello.cjs') }, loads, figures),
};

export default connections;
