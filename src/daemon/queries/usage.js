/** CPU and memory of processes. The only importer of pidusage. */
import { createRequire } from 'node:module';
import { onDemand } from '../../shared/package/on-demand.js';
import { Sampler } from './sampler.js';

/** @import { Usage } from '../../protocol/shapes.js' */

const require = createRequire(import.meta.url);
/** The daemon listens earlier without it. */
const pidusage = onDemand(() => /** @type {typeof import('pidusage')} */ (require('pidusage')));
const SPAN_MS = 150;

/** @typedef {Record<number, Usage | undefined>} Usages by pid, without processes that have exited */

export class Metrics {
  /** @type {Sampler<number, Usages>} */
  #sampler;

  /** @param {(pids: number[]) => Promise<Usages>} [measure] the CPU load since its last call */
  constructor(measure = measureQuietly) {
    // Given a single pid, pidusage throws if that process has exited.
    this.#sampler = new Sampler((pids) => measure([...pids]).catch(() => ({})), SPAN_MS);
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<Map<number, Usage>>} without processes that have exited
   */
  async sample(pids) {
    const samples = await Promise.all(this.#sampler.sample(pids));
    return new Map(
      pids.flatMap((pid, index) => {
        const usage = samples[index][pid];
        return usage ? [[pid, rounded(usage)]] : [];
      }),
    );
  }
}

/**
 * Without `getconf`, as in a minimal image, pidusage assumes 4 KiB and 100 Hz, and prints a stack trace.
 * @param {number[]} pids
 */
async function measureQuietly(pids) {
  process.env.PIDUSAGE_SILENT = '1';
  try {
    return await pidusage()(pids);
  } finally {
    delete process.env.PIDUSAGE_SILENT;
  }
}

/** @param {Usage} usage */
function rounded({ cpu, memory, ctime }) {
  return { cpu: Math.round(cpu * 10) / 10, memory, ctime };
}
