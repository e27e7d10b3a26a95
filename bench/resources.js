/**
 * What commands and crashes come to while a resource is used up, and after that. Needs root on Linux:
 * it mounts a disk in a mount namespace of its own, and makes control groups (cgroup v1). The exit
 * code is 1 if another app did not answer, or if not all is as it should be when the resource is back.
 * node bench/resources.js [--only <part of a fault's name>] [--operation <part of its name>]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { app } from '../test/support/home.js';
import { benchArguments } from './arguments.js';
import { FAULTS } from './resources/faults.js';
import { measure } from './resources/measure.js';
import { operationsOn } from './resources/operations.js';
import { printTable } from './table.js';

const { strings } = benchArguments({}, { only: '', operation: '' });
const { RESOURCES_DISK: disk } = process.env;

if (disk === undefined) startOnOwnDisk();
else await measureAll();

/** Starts this file again, with a disk that nobody else sees. */
function startOnOwnDisk() {
  const directory = mkdtempSync(path.join(tmpdir(), 'nc-resources-'));
  const script =
    'truncate -s 128M "$0.ext4" && mkfs.ext4 -q -m 0 -N 4096 "$0.ext4" && ' +
    'mount -o loop "$0.ext4" "$0" && exec "$@"';
  const self = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const { status } = spawnSync('unshare', ['-m', 'sh', '-c', script, directory, ...self], {
    env: { ...process.env, RESOURCES_DISK: directory, TMPDIR: directory },
    stdio: 'inherit',
  });
  rmSync(directory, { recursive: true });
  rmSync(`${directory}.ext4`);
  process.exitCode = status ?? 1;
}

async function measureAll() {
  const faults = FAULTS.filter(({ name }) => name.includes(strings.only));
  /** @type {string[][]} */
  const rows = [];
  let [requests, failures] = [0, 0];
  for (const operation of operationsOn(app('http-pid.cjs'))) {
    if (!operation.name.includes(strings.operation)) continue;
    const row = [operation.name];
    for (const fault of faults) {
      const { cell, count, failed, isBad } = await measure(operation, fault);
      requests += count;
      failures += failed;
      console.error(`${operation.name}, ${fault.name}: ${cell}`);
      if (isBad) process.exitCode = 1;
      row.push(cell);
    }
    rows.push(row);
  }
  printTable(['command or crash', ...faults.map(({ name }) => name)], rows);
  console.log(`\n${requests} requests to another app, ${failures} failed.`);
}
