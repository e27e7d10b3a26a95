/**
 * The simulation, in a process of its own since it replaces the clock: always the same seeds, and others
 * every day. A seed that fails is printed with its last events and the command that replays it.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const RUN = fileURLToPath(new URL('run.js', import.meta.url));
/** Seeds of one day are as far apart from those of the next. */
const PER_DAY = 100_000;
const today = Math.floor(Date.now() / 86_400_000) * PER_DAY;

for (const [world, seed, steps] of [
  ['primary', 1, 50_000],
  ['daemon', 1, 30_000],
  ['primary', today, 10_000],
  ['daemon', today, 10_000],
]) {
  t.test(`${world}, from seed ${seed}`, async (t) => {
    const args = ['--world', world, '--seed', String(seed), '--steps', String(steps)];
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...args]).catch(
      (error) => error,
    );
    t.match(stdout, new RegExp(`^${world}, seeds \\d+ to \\d+: \\d+ events, `));
    t.comment(stdout);
  });
}
