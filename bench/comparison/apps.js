/** Several apps under a supervisor, in place of the one that it was started with. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gap } from './gap.js';

/** @import { Candidate, Program } from './types.js' */

/** Below those of the tests, which have 199 at a time. */
const FIRST_PORT = 11_000;

/**
 * @param {Candidate} candidate
 * @param {Program} program what each app runs
 * @param {{apps: number, instances: number, exec_mode?: string}} shape
 * @returns {Promise<number[]>} the ports of the apps
 */
export async function startApps({ run, settings }, program, { apps: count, ...shape }) {
  if (run === undefined) throw new Gap('has one app only');
  await run(program, ['delete', 'all']);
  const ports = Array.from({ length: count }, (_, index) => FIRST_PORT + index);
  const apps = ports.map((port) => ({
    ...{ name: `app-${port}`, script: program.script, exec_mode: 'cluster' },
    ...{ ...shape, ...settings, env: { PORT: String(port) } },
  }));
  const file = join(program.root, 'ecosystem.json');
  writeFileSync(file, JSON.stringify({ apps }));
  await run(program, ['start', file]);
  return ports;
}
