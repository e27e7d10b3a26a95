/** Runs the simulation in a process of its own, since it replaces the clock. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.js', import.meta.url));

/**
 * A seed that fails is printed with its last events and the command that replays it.
 * @param seed the first one
 * @param steps of all seeds
 */
export async function simulated(t, world, seed, steps) {
  const stdout = await run(world, seed, steps);
  t.match(stdout, new RegExp(`^${world}, seeds \\d+ to \\d+: \\d+ events, `));
  t.comment(stdout);
}

/** A seed that fails can be replayed: every event is the same, whatever runs beside it and was simulated before it. */
export async function replayed(t, world, seed, steps) {
  const trace = /^trace of seed (\d+): [\da-f]{64}$/m;
  const [line, last] = trace.exec(await run(world, seed, steps)) ?? [];
  const again = await Promise.all([run(world, seed, steps), run(world, last, 1)]);
  for (const stdout of again) t.equal(trace.exec(stdout)?.[0], line ?? 'a trace');
}

async function run(world, seed, steps) {
  const args = ['--world', world, '--seed', String(seed), '--steps', String(steps)];
  // Without the preload of tap it is several times faster.
  const command = ['-i', process.execPath, RUN, ...args];
  const { stdout } = await promisify(execFile)('env', command).catch((error) => error);
  return stdout;
}
