/** One run of one of Node's tests: alone, as a child of Node alone, or under `nodecluster run`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clearDirectory, newDirectory } from '../comparison/scratch.js';
import { outcomeAlone, programOutcome } from './decisions.js';

/** `npm run build` and this variable: what is published, which starts sooner. */
const PACKAGE =
  process.env.NODECLUSTER_TEST_PACKAGE || fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(PACKAGE, 'bin/nodecluster.js');
const BARE = fileURLToPath(new URL('bare.js', import.meta.url));
/** Most tests take less than a second. */
const ALONE_MS = 10_000;
const STRAY_MS = 1000;

/**
 * @typedef {{node: string, cwd: string, file: string, flags: string[], port: number}} Program port: those
 *   that run beside each other have one each
 * @typedef {'cluster'|'fork'} Mode
 */

/** @param {Program} program @returns {Promise<string>} its outcome */
export async function runPlain(program) {
  const { ended, stdout } = await runIn(program, ALONE_MS, () => [...program.flags, program.file]);
  return outcomeAlone(ended, stdout);
}

/** @param {Program} program @param {Mode} mode @param {number} deadlineMs */
export async function runBare(program, mode, deadlineMs) {
  const args = [BARE, mode, program.file, ...program.flags];
  return (await runIn(program, deadlineMs, () => args)).ended;
}

/** @param {Program} program @param {Mode} mode @param {number} deadlineMs */
export async function runAsWorker(program, mode, deadlineMs) {
  const { file, flags, cwd } = program;
  const app = { name: 'test', script: file, cwd, instances: 1, exec_mode: mode, node_args: flags };
  const { ended, stderr } = await runIn(program, deadlineMs, (home) => {
    const config = join(home, 'ecosystem.json');
    writeFileSync(config, JSON.stringify({ apps: [{ ...app, autorestart: false }] }));
    return [BIN, 'run', config, '--json'];
  });
  return programOutcome(ended, stderr);
}

/** @param {Program} program @param {number} deadlineMs @param {(home: string) => string[]} argsIn */
async function runIn({ node, cwd, port }, deadlineMs, argsIn) {
  const home = newDirectory();
  // Workers run on the first `node` of PATH.
  const PATH = `${dirname(node)}:${process.env.PATH}`;
  const own = { PATH, NODECLUSTER_HOME: home, NODE_TEST_DIR: home, NODE_COMMON_PORT: String(port) };
  try {
    const env = { ...process.env, ...own };
    // A group of its own: some tests send a signal to their group.
    const child = spawn(node, argsIn(home), {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    return await endOf(child, deadlineMs);
  } finally {
    clearDirectory(home);
  }
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {number} deadlineMs
 * @returns {Promise<{ended: string, stdout: string, stderr: string}>} ended: `code 0`, `SIGABRT`, `deadline`
 */
async function endOf(child, deadlineMs) {
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (text.stderr += chunk));
  const closed = once(child, 'close');
  const exited = once(child, 'exit').then(([code, signal]) => signal ?? `code ${code}`);
  const ended = await Promise.race([exited, sleep(deadlineMs, 'deadline', { ref: false })]);
  // A stray process may hold stdout open.
  if (ended !== 'deadline') await Promise.race([closed, sleep(STRAY_MS, null, { ref: false })]);
  return { ended, ...text };
}
