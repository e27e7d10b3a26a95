/** How long a reload takes. What it loses is in lost-requests. */
import { setTimeout as pause } from 'node:timers/promises';
import { Gap } from '../comparison/gap.js';
import { programOf } from '../comparison/loads.js';
import { serving } from '../comparison/serving.js';

/** @import { Case } from '../comparison/types.js' */

const WORKERS = [2, 8];
/** A supervisor may take a reload right after the start for one in a loop of crashes. */
const SETTLED_MS = 2_000;

/** @type {Case} */
const reloadTimes = {
  section: 'Reloads',
  title: 'Duration of a reload',
  about:
    'From the command to its end, without load. PM2 does not check whether a new worker stays up; the first replacement of nodecluster must live for `min_uptime`, one second.',
  candidates: ['PM2 7', 'nodecluster'],
  rounds: 3,
  seconds: 20,
  figures: [{ key: 'seconds', title: 'seconds', better: 'less', digits: 2, isRatio: true }],
  measure: async (conditions) => {
    const { candidate } = conditions;
    const { reload } = candidate;
    if (reload === undefined) throw new Gap('has no reload');
    const measured = [];
    for (const workers of WORKERS) {
      const given = { script: programOf('expensive.cjs'), workers, path: '/fast' };
      const seconds = await serving(conditions, given, async ({ program }) => {
        await pause(SETTLED_MS);
        const begin = performance.now();
        await reload(program);
        return (performance.now() - begin) / 1000;
      });
      measured.push({ variant: `${workers} workers`, figures: { seconds } });
    }
    return measured;
  },
};

export default reloadTimes;
