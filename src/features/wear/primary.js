/** Which workers are due to be replaced because of `max_requests`, `max_age` or `max_memory_restart`. */
import { readFile } from 'node:fs/promises';
import { numbersFromPs } from '../../primary/processes/tree.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Fact } from '../../protocol/shapes.js'
 * @import { WearSpec } from '../record.js'
 */

const CHECK_EVERY_MS = 5000;

/** @type {MakeFeature} */
export function wear({ pool, replacements }, _directory, guard) {
  /** Of each worker: by how much its limits differ. @type {WeakMap<WorkerHandle, number>} */
  const random = new WeakMap();
  /** Runs only while a worker has a limit of its age or memory. @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @param {WorkerHandle} worker */
  const follow = (worker) => {
    random.set(worker, Math.random());
    const judgeNow = guard(() => judge(worker, null));
    worker.agent?.channel.on('beat', judgeNow);
  };
  const watch = () => {
    if (pool.workers.some(isChecked)) {
      timer ??= setInterval(guard(check), CHECK_EVERY_MS);
      return;
    }
    clearInterval(timer);
    timer = undefined;
  };
  pool.on('worker', guard(follow));
  pool.on('change', guard(watch));
  return {};

  async function check() {
    const checked = pool.workers.filter(isChecked);
    const measured = checked.filter(({ launch }) => launch.spec.maxMemoryRestartBytes);
    const memory = await memoryOf(measured.flatMap(({ pid }) => pid ?? []));
    for (const worker of checked) judge(worker, memory.get(worker.pid ?? 0) ?? null);
  }

  /** @param {WorkerHandle} worker @param {number | null} memory null: not known */
  function judge(worker, memory) {
    if (worker.status !== 'online') return;
    const limits = withJitter(worker.launch.spec, random.get(worker) ?? 0);
    const requests = worker.agent?.load?.answered ?? 0;
    const reason = judgeWear({ requests, ageMs: worker.uptimeMs, memory }, limits);
    if (reason !== null) replacements.markDue(worker, reason);
  }
}

/** @param {WorkerHandle} worker */
function isChecked({ launch }) {
  return launch.spec.maxAgeMs !== null || launch.spec.maxMemoryRestartBytes !== null;
}

/** @param {number[]} pids @returns {Promise<Map<number, number>>} bytes of RSS, of those that are known; never rejects */
async function memoryOf(pids) {
  if (pids.length === 0) return new Map();
  const rows =
    process.platform === 'linux'
      ? Promise.all(pids.map(async (pid) => [pid, await kilobytesOnLinux(pid)]))
      : numbersFromPs('-o', 'pid=,rss=', '-p', pids.join());
  const known = (await rows.catch(() => [])).filter(([, kilobytes]) => !Number.isNaN(kilobytes));
  return new Map(known.map(([pid, kilobytes]) => [pid, kilobytes * 1024]));
}

/** proc(5) @param {number} pid @returns {Promise<number>} NaN: not known */
async function kilobytesOnLinux(pid) {
  const text = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]);
}

/** Share by which limits differ, so that workers that started together are not replaced together. */
const JITTER = 0.1;

/** @param {WearSpec} limits of the app @param {number} random of the worker, in [0, 1) @returns {WearSpec} */
export function withJitter({ maxRequests, maxAgeMs, maxMemoryRestartBytes }, random) {
  const vary = (/** @type {number | null} */ limit) =>
    limit && Math.max(1, Math.round(limit * (1 + JITTER * (2 * random - 1))));
  // Memory does not rise in all workers at once.
  return { maxRequests: vary(maxRequests), maxAgeMs: vary(maxAgeMs), maxMemoryRestartBytes };
}

/**
 * @param {{requests: number, ageMs: number, memory: number | null}} wear memory: RSS
 * @param {WearSpec} limits
 * @returns {Fact | null} which one it has reached
 */
export function judgeWear({ requests, ageMs, memory }, limits) {
  const { maxRequests, maxAgeMs, maxMemoryRestartBytes } = limits;
  if (maxRequests && requests >= maxRequests) {
    return { kind: 'limit', setting: 'max_requests', value: requests };
  }
  if (maxAgeMs && ageMs >= maxAgeMs) return { kind: 'limit', setting: 'max_age', value: maxAgeMs };
  const isFull = maxMemoryRestartBytes && memory !== null && memory > maxMemoryRestartBytes;
  return isFull
    ? { kind: 'limit', setting: 'max_memory_restart', value: maxMemoryRestartBytes }
    : null;
}
