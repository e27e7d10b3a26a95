/**
 * What a command costs beside Node itself: the time of `node -e 0` and of commands,
 * alternating, as medians and as ratios. `start` includes the daemon, the primary and two workers, until
 * the first answer: node bench/start-up.js [--rounds 15] [--node <binary>]...
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { app } from '../test/support/home.js';
import { benchArguments } from './arguments.js';
import { inHome, versionOf } from './bench-home.js';
import { median, printTable } from './table.js';

const BIN = fileURLToPath(new URL('../bin/nodecluster.js', import.meta.url));
const COMMANDS = ['--version', 'ping', 'ls --json', 'ls'];
const RETRY_MS = 2;

const { nodes, numbers } = benchArguments({ rounds: 15, port: 23_400 });
for (const node of nodes) {
  await inHome(async ({ env }) => {
    console.log(`\nNode ${versionOf(node)}, ${numbers.rounds} rounds\n`);
    const run = (/** @type {string[]} */ args) => spawnSync(node, args, { env, stdio: 'ignore' });
    /** @type {Map<string, number[]>} */
    const times = new Map([['node -e 0', []], ...COMMANDS.map((name) => named(name))]);
    /** Sums: the clock of the kernel ticks every 10 ms. @type {Map<string, number>} */
    const cpu = new Map();
    const coldStarts = [];
    const PORT = String(numbers.port);
    for (let round = 0; round < numbers.rounds; round += 1) {
      coldStarts.push(await coldStart(node, { ...env, PORT }));
      for (const [name, list] of times) {
        const args = name === 'node -e 0' ? ['-e', '0'] : [BIN, ...name.split(' ')];
        const [before, cpuBefore] = [performance.now(), childrenCpuMs()];
        run(args);
        list.push(performance.now() - before);
        cpu.set(name, (cpu.get(name) ?? 0) + childrenCpuMs() - cpuBefore);
      }
      run([BIN, 'kill']);
    }
    const base = median(times.get('node -e 0') ?? []);
    times.set('start -i 2 without a daemon, to the first answer', coldStarts);
    printTable(
      ['command', 'ms (median)', '× node -e 0', 'CPU ms (mean)', '× node -e 0'],
      [...times].map(([name, list]) => [
        name,
        median(list).toFixed(0),
        (median(list) / base).toFixed(2),
        ...cpuCells(cpu, name, numbers.rounds),
      ]),
    );
  });
}

/** @param {Map<string, number>} cpu @param {string} name @param {number} rounds */
function cpuCells(cpu, name, rounds) {
  const [own, base] = [cpu.get(name), cpu.get('node -e 0') ?? 0];
  return own === undefined ? ['', ''] : [(own / rounds).toFixed(0), (own / base).toFixed(2)];
}

/** proc(5): fields 16 and 17, of the processes that this one has waited for. Linux only. */
function childrenCpuMs() {
  const text = readFileSync('/proc/self/stat', 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** @param {string} name @returns {[string, number[]]} */
function named(name) {
  return [name, []];
}

/** @param {string} node @param {Record<string, string | undefined>} env @returns {Promise<number>} ms */
async function coldStart(node, env) {
  const before = performance.now();
  const command = spawn(node, [BIN, 'start', app('http-pid.cjs'), '-i', '2'], {
    env,
    stdio: 'ignore',
  });
  const exit = once(command, 'exit');
  while (!(await answers(Number(env.PORT)))) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  const tookMs = performance.now() - before;
  await exit;
  return tookMs;
}

/** @param {number} port @returns {Promise<boolean>} */
function answers(port) {
  return new Promise((resolve) => {
    http
      .get({ port, host: '127.0.0.1', agent: false }, (response) => {
        response.resume().once('end', () => resolve(true));
      })
      .once('error', () => resolve(false));
  });
}
