/** One operation while one resource is used up: what it comes to then, and when it is back. */
import { setTimeout as pause } from 'node:timers/promises';
import { app } from '../../test/support/home.js';
import { ask } from '../../test/support/http-ask.js';
import { freePort } from '../../test/support/ports.js';
import { processesOf } from '../../test/support/processes.js';
import { until } from '../../test/support/until.js';
import { inHome } from '../bench-home.js';
import { appOf } from './operations.js';

/**
 * @import { Fault } from './faults.js'
 * @import { Operation, Seen } from './operations.js'
 * @typedef {Parameters<Parameters<typeof inHome>[0]>[0]} Home
 */

const REQUEST_EVERY_MS = 50;
/** How long the outcome of a crash or of `kill` may take while the resource is used up. */
const OUTCOME_MS = 4000;
const RECOVERY_MS = 20_000;

/**
 * @param {Operation} operation
 * @param {Fault} fault
 * @returns {Promise<{cell: string, count: number, failed: number, isBad: boolean}>} count: of requests
 */
export async function measure(operation, fault) {
  return inHome(async (home) => {
    fault.prepare?.();
    const before = await startApps(home);
    const client = sendRequests(before.port);
    const supervisors = [before.daemon.pid, ...before.apps.map(({ primaryPid }) => primaryPid)];
    const restore = fault.use({
      root: home.root,
      home: home.home,
      supervisors,
      others: pidsOf(appOf(before, 'other')),
      all: processesOf(home.root),
    });
    let during;
    try {
      if (operation.endsAll) client.end();
      during = await carryOut(home, operation, fault, before);
    } finally {
      await restore();
    }
    const after = operation.endsAll
      ? await comesBack(home, before)
      : await recovers(home, operation, before, during.isDone);
    const { count, failed } = client.end();
    const lost = failed > 0 ? `, ${failed} requests of another app failed` : '';
    const cell = `${during.text}${after}${lost}`;
    return { cell, count, failed, isBad: failed > 0 || after.includes('NOT') };
  });
}

/** @param {Home} home @returns {Promise<Seen & {port: number}>} */
async function startApps({ ok, list }) {
  const [port, other] = [await freePort(), await freePort()];
  for (const [name, PORT] of [
    ['web', other],
    ['other', port],
  ]) {
    const env = { PORT: String(PORT) };
    await ok(['start', app('http-pid.cjs'), '--name', String(name)], { env });
  }
  return { ...(await list()), port };
}

/** @param {any} app */
function pidsOf({ primaryPid, workers }) {
  return [primaryPid, ...workers.map((/** @type {{pid: number}} */ { pid }) => pid)];
}

/** @param {Home} home @param {Operation} operation @param {Fault} fault @param {Seen} before */
async function carryOut(home, operation, { kill = killNow }, before) {
  const { command, victim, isDone } = operation;
  if (command) return runCommand(home, operation, command, before);
  await kill(victim?.(before) ?? 0);
  const isBack = await holds(home, OUTCOME_MS, (seen) => !!isDone?.(before, seen));
  return { isDone: isBack, text: isBack ? 'replaced' : 'not replaced' };
}

/** @param {number} pid */
async function killNow(pid) {
  process.kill(pid, 'SIGKILL');
}

/** @param {Home} home @param {Operation} operation @param {string[]} command @param {Seen} before */
async function runCommand(home, { isDone, endsAll }, command, before) {
  const { code, stderr } = await home.run(command, { env: { PORT: String(await freePort()) } });
  if (code !== 0) console.error(stderr.trim().replaceAll(/^/gm, '    '));
  if (code === 0) return { isDone: true, text: 'as usual' };
  if (!isDone && !endsAll) return { isDone: false, text: `exit code ${code}` };
  const seen = endsAll ? null : await look(home);
  const done = endsAll ? await isEmpty(home) : !!(seen && isDone?.(before, seen));
  return { isDone: done, text: `exit code ${code}, ${done ? 'done' : 'not done'}` };
}

/** @param {Home} home */
function isEmpty({ root }) {
  const check = () => processesOf(root).length === 0;
  return until(check, 'no process', OUTCOME_MS).catch(() => false);
}

/**
 * @param {Home} home
 * @param {Operation} operation
 * @param {Seen} before
 * @param {boolean} wasDone
 * @returns {Promise<string>} what has changed since
 */
async function recovers(home, { command, isDone }, before, wasDone) {
  const check = (/** @type {Seen} */ seen) => !isDone || isDone(before, seen);
  const isWhole = (/** @type {Seen} */ seen) =>
    appOf(seen, 'other')?.status === 'online' &&
    seen.apps.every(({ status }) => ['online', 'stopped'].includes(status));
  if (!command || wasDone) {
    const isBack = await holds(home, RECOVERY_MS, (seen) => isWhole(seen) && check(seen));
    if (!isBack) return ', NOT afterwards';
    return wasDone ? '' : ', then replaced';
  }
  if (!(await holds(home, RECOVERY_MS, isWhole))) return ', NOT whole afterwards';
  const seen = await look(home);
  return isDone && seen && check(seen) ? ', done later' : '';
}

/** @param {Home} home @param {Seen} before */
async function comesBack(home, before) {
  await home.run(['resurrect']);
  const names = before.apps.map(({ name }) => name);
  const isBack = await holds(home, RECOVERY_MS, (seen) =>
    names.every((name) => appOf(seen, name)?.status === 'online'),
  );
  return isBack ? '' : ', NOT started by `resurrect`';
}

/**
 * @param {Home} home
 * @param {number} ms
 * @param {(seen: Seen) => boolean} claim
 */
function holds(home, ms, claim) {
  const check = async () => {
    const seen = await look(home);
    return seen !== null && claim(seen);
  };
  return until(check, 'the state', ms).catch(() => false);
}

/** @param {Home} home @returns {Promise<Seen | null>} null: no daemon answers */
function look({ list }) {
  return list().catch(() => null);
}

/** @param {number} port */
function sendRequests(port) {
  let [isOpen, count, failed] = [true, 0, 0];
  void (async () => {
    while (isOpen) {
      const isAnswered = await ask(port).catch(() => false);
      if (!isOpen) return;
      count += 1;
      if (!isAnswered) failed += 1;
      await pause(REQUEST_EVERY_MS);
    }
  })();
  return {
    end: () => {
      isOpen = false;
      return { count, failed };
    },
  };
}
