/** Everything that can run a program here, by name. */
import { nodecluster } from './candidates/nodecluster.js';
import { pm2 } from './candidates/pm2.js';
import { bareCluster, restartedSingle, single } from './candidates/single.js';
import { watt } from './candidates/watt.js';

/** @import { Candidate } from './types.js' */

export const POLICIES = ['round-robin', 'fair', 'sticky'].map((policy) => `nodecluster, ${policy}`);
export const PEERS = ['node:cluster, round-robin', 'node:cluster, shared', 'PM2 7', 'Watt 3'];

/** @type {Map<string, Candidate>} */
export const candidates = new Map(
  [
    single,
    restartedSingle,
    bareCluster('round-robin'),
    bareCluster('shared'),
    pm2,
    watt,
    nodecluster(),
    { ...nodecluster(), name: 'nodecluster, min_uptime: 0', settings: { min_uptime: 0 } },
    ...POLICIES.map((name) => nodecluster(name.split(', ')[1])),
  ].map((candidate) => [candidate.name, candidate]),
);
