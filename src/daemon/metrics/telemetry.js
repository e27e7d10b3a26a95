/**
 * What the workers measure of themselves, asked of their primaries only while somebody wants to
 * know. Several who ask at the same time share one answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_VITALS, vitalsBetween } from './vitals.js';

/**
 * @import { TelemetryReport, Vitals } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 */

/** ms for which an answer is good. */
const FRESH_MS = 400;
/** ms; what was measured longer ago than this tells nothing of now. */
const RECENT_MS = 5000;
/** ms; nobody may ask more rarely than that. */
const KEPT_MS = 300_000;
/** ms between two questions when the last one is not recent. */
const SPAN_MS = 200;
/** ms that a primary may take; what it does not say in time is not known. */
const ANSWER_MS = 2000;
/** How long the workers measure on when nobody asks again, unless somebody wants it longer. */
const LEASE_MS = 10_000;

/**
 * @typedef {object} Known of one worker
 * @property {number} seenAt monotonic ms; when the last report came
 * @property {TelemetryReport} report
 * @property {Vitals} vitals
 */

export class Telemetry {
  /** @type {Map<number, Known>} by pid */
  #known = new Map();
  /** @type {WeakMap<App, {at: number, leaseMs: number, asked: Promise<void>}>} */
  #asked = new WeakMap();

  /**
   * @param {App[]} apps
   * @param {object} [options]
   * @param {number} [options.leaseMs]
   * @param {number} [options.recentMs] compares with what was measured so long ago at most
   * @returns {Promise<ReadonlyMap<number, Known>>} by pid
   */
  async sample(apps, { leaseMs = LEASE_MS, recentMs = RECENT_MS } = {}) {
    const now = performance.now();
    for (const [pid, { seenAt }] of this.#known) {
      if (now - seenAt >= KEPT_MS) this.#known.delete(pid);
    }
    const connected = apps.filter(({ link }) => link.state === 'connected');
    await Promise.all(connected.map((app) => this.#sampleApp(app, leaseMs, recentMs)));
    return this.#known;
  }

  /**
   * @param {App} app
   * @param {number} leaseMs
   * @param {number} recentMs
   */
  #sampleApp(app, leaseMs, recentMs) {
    const now = performance.now();
    const last = this.#asked.get(app);
    const ageMs = last ? now - last.at : Infinity;
    if (last && ageMs < FRESH_MS && last.leaseMs >= leaseMs) return last.asked;
    const asked = ageMs < recentMs ? this.#ask(app, leaseMs) : this.#askTwice(app, leaseMs);
    this.#asked.set(app, { at: now, leaseMs, asked });
    return asked;
  }

  /**
   * @param {App} app
   * @param {number} leaseMs
   */
  async #askTwice(app, leaseMs) {
    await this.#ask(app, leaseMs);
    await sleep(SPAN_MS);
    await this.#ask(app, leaseMs);
  }

  /**
   * @param {App} app
   * @param {number} leaseMs
   */
  async #ask({ link }, leaseMs) {
    try {
      const options = { timeoutMs: ANSWER_MS };
      const { workers } = await link.request('telemetry', { leaseMs }, options);
      for (const { pid, report } of workers) this.#note(pid, report);
    } catch {
      // It is busy, gone, or of a version that measures nothing: then nothing is known.
    }
  }

  /**
   * @param {number} pid
   * @param {TelemetryReport} report
   */
  #note(pid, report) {
    const seenAt = performance.now();
    const known = this.#known.get(pid);
    if (known?.report.atMs === report.atMs) return;
    const vitals = known ? vitalsBetween(known.report, report) : vitalsBetween(report, report);
    this.#known.set(pid, { seenAt, report, vitals });
  }
}

/**
 * @param {Known | undefined} known
 * @returns {Vitals} those of now
 */
export function vitalsNow(known) {
  return known && performance.now() - known.seenAt < RECENT_MS ? known.vitals : NO_VITALS;
}
