/** One run of one of Node's tests: alone, as a child of Node alone, or under `nodecluster run`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programOutcome } from './decisions.js';

const BIN = fileURLToPath(new URL('../../bin/nodecluster.js', import.meta.url));
const BARE = fileURLToPath(new URL('bare.js', import.meta.url));
/** Most tests take less than a second; those that hang cost the sample this long, twice. */
const DEADLINE_MS = 10_000;
const FIRST_PORT = 22_000;
const PORTS_PER_JOB = 100;

/**
 * @typedef {{node: string, cwd: string, file: string, flags: string[], job: number}} Program job: its
 *   number among those that run beside each other, which have ports and a temporary directory of their own
 * @typedef {'cluster'|'fork'} Mode
 */

/** @param {Program} program @returns {Promise<string>} its outcome */
export async function runPlain(program) {
  return (await runIn(program, () => [...program.flags, program.file])).outcome;
}

/** @param {Program} program @param {Mode} mode @returns {Promise<string>} */
export async function runBare(program, mode) {
  return (await runIn(program, () => [BARE, mode, program.file, ...program.flags])).outcome;
}

/** @param {Program} program @param {Mode} mode @returns {Promise<string>} */
export async function runAsWorker(program, mode) {
  const { file, flags, cwd } = program;
  const app = { name: 'test', script: file, cwd, instances: 1, exec_mode: mode, node_args: flags };
  const { outcome, stderr } = await runIn(program, (home) => {
    const config = join(home, 'ecosystem.json');
    writeFileSync(config, JSON.stringify({ apps: [{ ...app, autorestart: false }] }));
    return [BIN, 'run', config, '--json'];
  });
  return programOutcome(outcome, stderr);
}

/** @param {Program} program @param {(home: string) => string[]} argsIn */
async function runIn({ node, cwd, job }, argsIn) {
  const home = mkdtempSync(join(tmpdir(), 'nc-conformance-'));
  const port = String(FIRST_PORT + job * PORTS_PER_JOB);
  const own = { NODECLUSTER_HOME: home, TEST_THREAD_ID: String(job), TEST_COMMON_PORT: port };
  try {
    const child = spawn(node, argsIn(home), {
      cwd,
      env: { ...process.env, ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    return await endOf(child);
  } finally {
    killAllIn(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child */
function endOf(child) {
  let stderr = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ outcome: 'deadline', stderr }), DEADLINE_MS);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      // A stray process may hold stderr open, so 'close' is no event to wait for.
      setImmediate(() => resolve({ outcome: signal ?? `code ${code}`, stderr }));
    });
  });
}

/** Workers and what they started lead groups of their own; their environment names the home. @param {string} home */
function killAllIn(home) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (env.includes(`NODECLUSTER_HOME=${home}`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has exited, or belongs to another user.
    }
  }
}
