/** Runs the simulation in a process of its own, since it replaces the clock. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.js', import.meta.url));

/**
 * A seed that fails is printed with its last events and the command that replays it.
 * @param seed the first one
 * @param steps of all seeds
 * @returns the last seed, and the hash of all that has happened in it
 */
export async function simulated(t, world, seed, steps) {
  const args = ['--world', world, '--seed', String(seed), '--steps', String(steps)];
  // Without the preload of tap it is several times faster.
  const command = ['-i', process.execPath, RUN, ...args];
  const { stdout } = await promisify(execFile)('env', command).catch((error) => error);
  const [ended, last, trace] = /^trace of seed (\d+): ([\da-f]{64})$/m.exec(stdout) ?? [];
  t.ok(ended, `${world}, from seed ${seed}`);
  t.comment(stdout);
  return { last, trace };
}

/** Every event of a seed is the same again, whatever runs beside it and was simulated before it. */
export async function replayed(t, world, seed, steps) {
  const { last, trace } = await simulated(t, world, seed, steps);
  const again = [simulated(t, world, seed, steps), simulated(t, world, last, 1)];
  for (const other of await Promise.all(again)) t.equal(other.trace, trace);
}
