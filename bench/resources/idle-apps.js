/**
 * What the supervisor's own processes need for one app and for many, beside PM2: daemon and primaries
 * of nodecluster, the daemon of PM2, without the workers. Private memory (Private_* of smaps_rollup)
 * after all of them have been idle. Linux only.
 * node bench/resources/idle-apps.js [--pm2 <bin/pm2>] [--apps 1,25,100] [--rounds 1] [--idle 30]
 *   [--modes fork,cluster]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchArguments } from '../arguments.js';
import { inHome } from '../bench-home.js';
import { median, printTable } from '../table.js';

const PROGRAM = 'setInterval(() => {}, 60_000);\n';
const COMMAND_MS = 600_000;

const { numbers, strings } = benchArguments(
  { rounds: 1, idle: 30 },
  { pm2: '', apps: '1,25,100', modes: 'fork,cluster' },
);
const directory = mkdtempSync(path.join(tmpdir(), 'nc-memory-'));
writeFileSync(path.join(directory, 'app.js'), PROGRAM);
try {
  const rows = [];
  for (const mode of strings.modes.split(',')) {
    for (const count of strings.apps.split(',').map(Number)) rows.push(await compare(mode, count));
  }
  printTable(['mode', 'apps', 'nodecluster MB', 'its processes', 'PM2 MB'], rows);
} finally {
  rmSync(directory, { recursive: true });
}

/** @param {string} mode @param {number} count of apps with one worker each */
async function compare(mode, count) {
  const file = path.join(directory, `${mode}-${count}.json`);
  const script = path.join(directory, 'app.js');
  const apps = Array.from({ length: count }, (_, number) => ({
    ...{ name: `app-${number}`, script, exec_mode: mode, instances: 1 },
  }));
  writeFileSync(file, JSON.stringify({ apps }));
  const own = [];
  const others = [];
  for (let round = 0; round < numbers.rounds; round++) {
    own.push(await measureOwn(file));
    if (strings.pm2) others.push(await measurePm2(file));
    const [{ sizeMb, processes }] = own.slice(-1);
    console.error(`${mode} ${count}: ${sizeMb} MB in ${processes}, PM2 ${others.at(-1) ?? '–'}`);
  }
  const sizeMb = median(own.map((each) => each.sizeMb)).toFixed(1);
  const [{ processes }] = own;
  return [mode, count, sizeMb, processes, others.length ? median(others).toFixed(1) : '–'];
}

/** @param {string} file @returns {Promise<{sizeMb: number, processes: number}>} */
function measureOwn(file) {
  return inHome(async ({ ok, list }) => {
    await ok(['start', file]);
    await sleep(numbers.idle * 1000);
    const { daemon, apps } = await list();
    const primaries = apps.map((/** @type {{primaryPid: number}} */ app) => app.primaryPid);
    const pids = [...new Set([daemon.pid, ...primaries])];
    return { sizeMb: privateMb(pids), processes: pids.length };
  });
}

/** @param {string} file @returns {Promise<number>} */
async function measurePm2(file) {
  const home = path.join(directory, 'pm2');
  const env = { ...process.env, PM2_HOME: home };
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [strings.pm2, ...args], {
      env,
      stdio: 'ignore',
      timeout: COMMAND_MS,
    });
  try {
    run('start', file);
    await sleep(numbers.idle * 1000);
    return privateMb([Number(readFileSync(path.join(home, 'pm2.pid'), 'utf8'))]);
  } finally {
    run('kill');
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param {number[]} pids @returns {number} */
function privateMb(pids) {
  const sizes = pids.flatMap((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return [...text.matchAll(/^Private_\w+: +(\d+) kB$/gm)].map(([, kb]) => Number(kb));
  });
  return Math.round(sizes.reduce((sum, kb) => sum + kb, 0) / 102.4) / 10;
}
