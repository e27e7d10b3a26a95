/** One call fails during a command: what the command says, what becomes of the app, and of what is saved. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { inHome } from '../home.js';
import { ask, isRefused } from '../http-ask.js';
import { freePort } from '../ports.js';
import { commandOf, isRunning, processesOf } from '../processes.js';
import { until } from '../until.js';
import { kill, primaryOf, unknownProcesses } from '../../../bench/faults/interrupted/processes.js';
import { FailingCalls } from './library.js';

const HEALED_MS = 20_000;
const WORKER = /\.cjs/;

export function onStage({ library, node }, use) {
  return inHome(async (home) => {
    const calls = new FailingCalls(library, home.root);
    return use({ home, node, port: await freePort(), calls, env: calls.env });
  });
}

/** @param fault null: calls are counted */
export async function tryCommand(stage, verb, fault) {
  const { home, node, env, calls } = stage;
  if (daemonPid(home.home) === null) await home.ok(['ls'], { node, env });
  await verb.prepare(stage);
  assertPreloaded(home.home);
  const { args, bin } = verb.command(stage);
  calls.arm(fault);
  const ended = await home.run(args, { node, env, bin }).catch(({ message }) => String(message));
  const counted = calls.disarm();
  if (typeof ended === 'string') return { ...counted, said: 'no end', broken: [ended] };
  return { ...counted, ...(await judge(stage, verb, ended, bin)) };
}

async function judge(stage, verb, ended, bin) {
  const broken = [];
  const seen = await healed(stage, verb, broken);
  if (ended.signal || /bug in nodecluster/.test(ended.stderr)) broken.push('the command crashed');
  if (seen) {
    const isFinished = seen.outcome === 'finished';
    if (ended.code === 0 && !isFinished) broken.push('untrue: exit code 0');
    await judgeRestart(stage, verb, { before: seen, bin: isFinished ? bin : undefined }, broken);
  }
  const said = `${ended.signal ?? ended.code}, ${seen?.outcome ?? 'neither'}`;
  if (broken.length > 0) broken.push(evidence(stage, ended));
  return { said, broken };
}

/** A daemon or primary without the library would never fail. */
function assertPreloaded(home) {
  for (const pid of [daemonPid(home), primaryOf(home)]) {
    if (pid === null) continue;
    const isPreloaded = readFileSync(`/proc/${pid}/maps`, 'utf8').includes(
      'failing-calls.so.control',
    );
    if (!isPreloaded) throw new Error(`${pid} ${commandOf(pid)} runs without the library`);
  }
}

/** @returns the state that lasts */
async function healed(stage, verb, broken) {
  const { home, port } = stage;
  let last = 'no daemon answers';
  const check = async () => {
    const before = workersOf(home.root);
    const seen = await verb.look(stage);
    if (seen === null) return null;
    const unlisted = before.filter((pid) => !seen.pids.includes(pid) && isRunning(pid));
    const strays = unknownProcesses(home, seen.pids);
    last = JSON.stringify({ ...seen, unlisted, strays });
    const isStopped = seen.pids.length === 1; // the daemon's
    if (isStopped && unlisted.length > 0) broken.push(`shown as stopped, but it runs: ${last}`);
    if (seen.outcome === null || strays.length > 0) return null;
    const runs = seen.versions.length > 0;
    const answers = runs
      ? seen.versions.includes((await ask(port)).version)
      : await isRefused(port);
    if (!answers) last += runs ? ', but another version answers' : ', but it answers';
    return answers ? seen : null;
  };
  try {
    return await until(check, 'the app to be whole', HEALED_MS);
  } catch (error) {
    broken.push(`not healed: ${error.message}; ${last}`);
    return null;
  }
}

function workersOf(root) {
  return processesOf(root).filter((pid) => WORKER.test(commandOf(pid)));
}

/**
 * The next daemon finds everything as it was said to be.
 * @param known bin: the command of the version that is installed now
 */
async function judgeRestart(stage, verb, { before, bin }, broken) {
  const { home, node, env } = stage;
  const killed = daemonPid(home.home);
  if (killed !== null) await kill(killed);
  const { code, stderr } = await home.run(['ls'], { node, env, bin });
  if (code !== 0) broken.push(`ls after the restart: ${stderr}`);
  const after = await healed(stage, verb, broken);
  if (after === null) return;
  if (after.outcome !== before.outcome)
    broken.push(`lost: ${before.text} before the restart of the daemon, then ${after.text}`);
  const gone = before.pids.filter((pid) => pid !== killed && !after.pids.includes(pid));
  if (gone.length > 0) broken.push(`restarted with the daemon: ${gone}`);
  broken.push(...(await damagedFiles(home.home)));
}

/**
 * A copy that could not be written is removed until the next change. A daemon that has started may be writing both.
 */
async function damagedFiles(home) {
  const { desired } = homePaths(home);
  const copy = `${desired}.copy`;
  const find = () => {
    const unfinished = readdirSync(home).filter((name) => /\.(tmp|unreadable|aside)$/.test(name));
    const damaged = unfinished.map((name) => `${name} is there`);
    const isEarlier =
      existsSync(copy) && readFileSync(copy, 'utf8') !== readFileSync(desired, 'utf8');
    return isEarlier ? [...damaged, 'the copy of desired.json differs'] : damaged;
  };
  await until(() => find().length === 0, 'whole files', HEALED_MS).catch(() => {});
  return find();
}

function evidence({ home }, { code, stdout, stderr }) {
  const log = readFileSync(homePaths(home.home).daemonLog, 'utf8')
    .split('\n')
    .slice(-15)
    .join('\n');
  return `exit code ${code}\n${stdout}${stderr}\ndaemon.log:\n${log}`;
}
