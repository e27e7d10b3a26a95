/**
 * Watt of Platformatic: the workers are threads of one process. It reads its settings from a file in
 * the directory of the program, so it gets a copy with a link to the program's packages.
 */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { processesOf } from '../../../test/support/processes.js';
import { versionOf } from '../../arguments.js';
import { Gap } from '../gap.js';
import { BENCH, installedVersion } from '../../installed.js';
import { launch, runCommand } from './launch.js';

/** @import { Candidate } from '../types.js' */

const BIN = join(BENCH, 'node_modules/wattpm/bin/cli.js');

/** @type {Candidate} */
export const watt = {
  name: 'Watt 3',
  start: async (program) => {
    if (installedVersion('wattpm') === null)
      throw new Gap('Watt is not installed (npm ci --prefix bench)');
    const [major, minor] = versionOf(program.node).slice(1).split('.').map(Number);
    if (major < 22 || (major === 22 && minor < 19)) throw new Gap('needs Node 22.19');
    const directory = join(program.root, 'watt');
    const main = basename(program.script);
    cpSync(dirname(program.script), directory, { recursive: true });
    symlinkSync(join(BENCH, 'node_modules'), join(directory, 'node_modules'));
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'measured', main }));
    writeFileSync(join(directory, 'watt.json'), JSON.stringify(settings(program.workers, main)));

    await launch({ ...program, root: directory }, [BIN, 'start'], { ready: /now listening/ });
  },
  released: ({ root, script }) => join(root, 'watt', basename(script)),
  reload: async (program) => {
    const [pid] = processesOf(program.root);
    await runCommand(program, [BIN, 'restart', String(pid)]);
  },
  stop: async () => {},
};

/** @param {number} workers @param {string} main */
function settings(workers, main) {
  const version = installedVersion('@platformatic/node');
  return {
    $schema: `https://schemas.platformatic.dev/@platformatic/node/${version}.json`,
    node: { main },
    runtime: {
      workers,
      logger: { level: 'info' },
      server: { hostname: '127.0.0.1', port: '{PORT}' },
    },
  };
}
