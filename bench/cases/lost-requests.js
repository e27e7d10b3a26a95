/** Requests that are lost when a supervisor replaces a program, and when a process is killed. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, processesOf } from '../../test/support/processes.js';
import { Gap } from '../comparison/gap.js';
import { newDirectory } from '../comparison/scratch.js';
import { programOf, serving } from '../comparison/serving.js';
import { beginTraffic } from '../../src/clients/prove/measure.js';

/** @import { Case, Conditions, Program } from '../comparison/types.js' */

const BROKEN = `throw new Error('This release does not start.');\n`;
const PER_SECOND = 100;
const BEFORE_MS = 500;
/** After the fault, or after the command has returned. */
const AFTER_MS = 2_000;

/**
 * @typedef {object} Served
 * @property {Program} program
 * @property {string} script the file that runs
 * @property {number} pid of a worker
 */

/** @type {Record<string, (served: Served, conditions: Conditions) => Promise<unknown>>} */
const FAULTS = {
  reload: ({ program }, { candidate }) => reload(candidate, program),
  'broken release': async ({ program, script }, { candidate }) => {
    writeFileSync(script, BROKEN);
    await reload(candidate, program);
  },
  'worker killed': async ({ pid }) => process.kill(pid, 'SIGKILL'),
  'supervisor killed': async ({ pid, program }) =>
    process.kill(supervisorOf(pid, program), 'SIGKILL'),
};

/** @type {Case} */
const lostRequests = {
  title: 'Lost requests',
  // No init system restarts anything, a script the single process. Watt's workers are threads: its process is worker and supervisor.
  candidates: [
    'single process, restarted',
    'node:cluster, round-robin',
    'node:cluster, shared',
    'PM2 7',
    'Watt 3',
    ...['round-robin', 'fair', 'sticky'].map((policy) => `nodecluster, ${policy}`),
  ],
  rounds: 3,
  seconds: 28,
  drawn: 'lost',
  figures: [
    { key: 'lost', title: 'lost', better: 'less' },
    { key: 'requests', title: 'of requests', better: 'more' },
    { key: 'gapMs', title: 'longest gap, ms', better: 'less' },
  ],
  measure: async (conditions) => {
    const measured = [];
    for (const variant of Object.keys(FAULTS)) {
      measured.push({ variant, figures: await lostBy(variant, conditions) });
    }
    return measured;
  },
};

export default lostRequests;

/** @param {string} variant @param {Conditions} conditions */
async function lostBy(variant, conditions) {
  const script = join(newDirectory(), 'server.cjs');
  copyFileSync(programOf('pid.cjs'), script);
  return serving(conditions, { script }, async ({ url, program }) => {
    const { pid } = await (await fetch(url)).json();
    const released = conditions.candidate.released?.(program) ?? script;
    const place = { text: url, url: new URL(url), how: {} };
    const begunAt = Date.now();
    const endTraffic = beginTraffic(place, PER_SECOND);
    await pause(BEFORE_MS);
    await FAULTS[variant]({ program, script: released, pid }, conditions).catch(ignoreRefusal);
    await pause(AFTER_MS);
    const endedAt = Date.now();
    const asked = await endTraffic();
    const answered = asked.filter(({ status }) => status === 200);
    const answers = answered.map(({ askedAt, waitMs }) => askedAt + waitMs);
    const times = [begunAt, ...answers, endedAt].sort((a, b) => a - b);
    const gaps = times.slice(1).map((at, index) => at - times[index]);
    const figures = { lost: asked.length - answered.length, requests: asked.length };
    return { ...figures, gapMs: Math.round(Math.max(...gaps)) };
  });
}

/** @param {Conditions['candidate']} candidate @param {Program} program */
async function reload(candidate, program) {
  if (candidate.reload === undefined) throw new Gap('has no reload');
  await candidate.reload(program);
}

/** A command may say that the release does not start. @param {unknown} error */
function ignoreRefusal(error) {
  if (error instanceof Gap) throw error;
}

/**
 * The parent of the worker, or the worker itself where both are one process.
 * @param {number} pid
 * @param {Program} program
 */
function supervisorOf(pid, { root }) {
  return processesOf(root).find((parent) => childrenOf(parent).includes(pid)) ?? pid;
}
