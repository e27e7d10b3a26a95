/**
 * Ghost, a blog. Unpack and install it, with its database, then name
 * its directory in BENCH_GHOST:
 *   npm pack ghost && tar xf ghost-*.tgz && cd package && npm install --omit=dev --legacy-peer-deps
 * config.production.json says where its database is; start it once alone, so that it makes its tables.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { Gap } from '../comparison/gap.js';
import { ab } from '../comparison/load/ab.js';
import { FIGURES, measureLoads } from '../comparison/loads.js';

/** @import { Case } from '../comparison/types.js' */

const { BENCH_GHOST: directory = '' } = process.env;
const CLIENTS = 20;
/** Its code is compiled during the first hundreds of requests: 2 s measured that, and no policy. */
const LOAD_SECONDS = 8;
const { perSecond, cpuUs, meanMs, p50Ms, p95Ms, p99Ms, longestMs, failed } = FIGURES;
const figures = [perSecond, cpuUs, meanMs, p50Ms, p95Ms, p99Ms, longestMs, failed];
const variant = 'GET /';
const script = join(directory, 'index.js');
/** @param {number} port */
const env = (port) => ({ server__port: String(port), url: `http://127.0.0.1:${port}` });
const loads = { [variant]: { load: ab({ clients: CLIENTS }) } };
const measure = measureLoads({ script, directory, env }, loads, figures);

/** @type {Case} */
const cms = {
  section: 'Published results',
  title: 'A blog, Ghost',
  about: `The first page of Ghost 6 with its default theme and MariaDB on the same cores. \`ab -c ${CLIENTS}\` for ${LOAD_SECONDS} seconds in place of 100,000 requests. Watt is left out: it needs its own files in the directory of the program.`,
  candidates: [
    'single process',
    ...PEERS.filter((name) => !name.startsWith('Watt')),
    ...POLICIES.filter((name) => !name.includes('sticky')),
  ],
  rounds: 3,
  seconds: directory === '' ? 1 : 16,
  figures,
  measure: async (conditions) => {
    if (!existsSync(script)) throw new Gap('BENCH_GHOST does not name the directory of Ghost');
    return measure({ ...conditions, seconds: Math.max(conditions.seconds, LOAD_SECONDS) });
  },
};

export default cms;
