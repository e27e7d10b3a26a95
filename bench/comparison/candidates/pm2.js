/** PM2 in cluster mode, with its own daemon and home directory. It is installed as a peer to measure, nothing else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gap } from '../gap.js';
import { PM2, PM2_QUIET, installedVersion } from '../../installed.js';
import { runCommand } from './launch.js';

/** @import { Candidate, Program } from '../types.js' */

/** @type {Candidate} */
export const pm2 = {
  name: 'PM2 7',
  start: async (program) => {
    if (installedVersion('pm2') === null)
      throw new Gap('PM2 is not installed (npm ci --prefix bench)');
    const { script, workers: instances } = program;
    const app = { name: 'measured', script, instances, exec_mode: 'cluster' };
    const file = join(program.root, 'ecosystem.json');
    writeFileSync(file, JSON.stringify({ apps: [app] }));
    await run(program, ['start', file]);
  },
  run,
  reload: (program) => run(program, ['reload', 'measured']),
  stop: async (program) => void (await run(program, ['kill'])),
};

/** @param {Program} program @param {string[]} args */
function run(program, args) {
  return runCommand(program, [PM2, ...args], {
    ...PM2_QUIET,
    PM2_HOME: join(program.root, 'pm2'),
  });
}
