/**
 * What telemetry costs. What it adds to a request, in a process of its own without a network
 * (telemetry/per-request.js), which is exact. Then in use: one worker, bare or Express, serves as fast
 * as it can, asked once a second what it measures or not, in rounds that alternate. A machine is
 * never equally busy for long, so what is compared is the time that its fastest blocks of requests
 * took. Before each round the worker has the time of a lease to settle: who subscribes makes V8
 * compile Node's HTTP server anew, once.
 * Last the CPU of daemon, primary and idle workers while nobody watches, and while somebody does.
 * Linux only. node bench/telemetry.js [--node <binary>]… [--rounds 20] [--seconds 2]
 *   [--clients 16] [--workers 8] [--idle 60]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '../src/protocol/client.js';
import { homePaths } from '../src/shared/home.js';
import { app } from '../test/support/home.js';
import { freePort } from '../test/support/ports.js';
import { until } from '../test/support/until.js';
import { benchArguments } from './arguments.js';
import { inHome, versionOf } from './bench-home.js';
import { median, printTable } from './table.js';

/** Almost nothing but Node itself, and what people use. */
const PROGRAMS = ['http-pid.cjs', 'express-pid.cjs'];
const PER_REQUEST = fileURLToPath(new URL('telemetry/per-request.js', import.meta.url));
const LEASE_MS = 1500;
/** Requests of which the time is taken together. */
const BLOCK = 200;
/** Some time after a start V8 still collects what that has left. */
const SETTLED_MS = 60_000;
const HELLO = { role: 'bench', version: '0' };

const { nodes, numbers } = benchArguments({
  ...{ rounds: 20, seconds: 2, clients: 16, workers: 8, idle: 60 },
});
const added = [];
const served = [];
const idle = [];
for (const node of nodes) {
  added.push(perRequest(node));
  for (const program of PROGRAMS) served.push(await measureServing(node, program));
  idle.push(await measureIdle(node));
}
printTable(['Node', 'ns CPU/request off', 'on', 'added'], added);
console.log();
printTable(
  ['Node', 'program', 'requests/s off', 'on', 'of the fastest blocks: off', 'on', 'ratio'],
  served,
);
console.log();
printTable(
  ['Node', 'workers', '% of a core: daemon off', 'on', 'primary off', 'on', 'a worker off', 'on'],
  idle,
);

/** @param {string} node @returns {(string|number)[]} */
function perRequest(node) {
  const { off, on } = JSON.parse(execFileSync(node, [PER_REQUEST], { encoding: 'utf8' }));
  return [versionOf(node), ...[off, on, on - off].map(Math.round)];
}

/** @param {string} node @param {string} program @returns {Promise<(string|number)[]>} */
function measureServing(node, program) {
  return inHome(async ({ ok, home }) => {
    const port = await freePort();
    const start = ['start', app(program), '-i', '1', '--name', 'api'];
    await ok(start, { node, env: { PORT: String(port) } });
    const primary = await connect(homePaths(home).app('api').socket, { hello: HELLO });
    const load = startLoad(port);
    await until(() => load.answers > 20_000, 'the worker to be warm');
    /** @type {{off: number[], on: number[]}} */
    const taken = { off: [], on: [] };
    const ask = () => primary.request('telemetry', { leaseMs: LEASE_MS });
    for (let number = 0; number < numbers.rounds; number++) {
      await round(load, taken.off, () => {});
      await round(load, taken.on, ask);
    }
    load.stop();
    primary.close();
    return [versionOf(node), program, ...compared(taken)];
  });
}

/**
 * A client that costs less than the server, or the server would never be busy: bytes that are
 * ready, and no look at what comes back.
 * @param {number} port
 */
function startLoad(port) {
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const sockets = Array.from({ length: numbers.clients }, () => net.connect(port, '127.0.0.1'));
  let blockBegan = 0;
  const load = {
    answers: 0,
    /** Requests per second of each block. @type {number[] | null} */
    blocks: null,
    stop: () => sockets.forEach((socket) => socket.destroy()),
  };
  for (const socket of sockets) {
    socket.write(request);
    socket.on('data', () => {
      load.answers += 1;
      socket.write(request);
      if (load.answers % BLOCK > 0) return;
      const now = performance.now();
      load.blocks?.push((BLOCK * 1000) / (now - blockBegan));
      blockBegan = now;
    });
  }
  return load;
}

/**
 * @param {{blocks: number[] | null}} load
 * @param {number[]} into
 * @param {() => void} everySecond
 */
async function round(load, into, everySecond) {
  everySecond();
  const timer = setInterval(everySecond, 1000);
  await pause(LEASE_MS + 500);
  load.blocks = into;
  await pause(numbers.seconds * 1000);
  load.blocks = null;
  clearInterval(timer);
}

/** @param {{off: number[], on: number[]}} taken */
function compared({ off, on }) {
  const fastest = [off, on].map((blocks) => quantile(blocks, 0.9));
  return [
    ...[off, on].map((blocks) => Math.round(median(blocks))),
    ...fastest.map(Math.round),
    (fastest[1] / fastest[0]).toFixed(3),
  ];
}

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * share)];
}

/** @param {string} node @returns {Promise<(string|number)[]>} */
function measureIdle(node) {
  return inHome(async ({ ok, home, list }) => {
    const start = ['start', app('http-pid.cjs'), '-i', String(numbers.workers), '--name', 'api'];
    await ok(start, { node, env: { PORT: String(await freePort()) } });
    const { daemon, apps } = await list();
    const workers = apps[0].workers.map((/** @type {{pid: number}} */ worker) => worker.pid);
    const groups = [[daemon.pid], [apps[0].primaryPid], workers];
    await pause(SETTLED_MS);
    const off = await percents(groups);
    const client = await connect(homePaths(home).daemonSocket, { hello: HELLO });
    client.request('watch', { intervalMs: 1000 }).catch(() => {});
    await pause(2000);
    const on = await percents(groups);
    client.close();
    const columns = off.flatMap((percent, index) => [percent, on[index]]);
    return [versionOf(node), numbers.workers, ...columns.map((percent) => percent.toFixed(3))];
  });
}

/**
 * @param {number[][]} groups of pids
 * @returns {Promise<number[]>} percent of a core that one process of each group takes
 */
async function percents(groups) {
  const cpu = () => groups.map((pids) => pids.reduce((sum, pid) => sum + cpuMs(pid), 0));
  const [before, begun] = [cpu(), performance.now()];
  await pause(numbers.idle * 1000);
  const [after, lastedMs] = [cpu(), performance.now() - begun];
  return groups.map(({ length }, at) => ((after[at] - before[at]) / lastedMs / length) * 100);
}

/** @param {number} pid @returns {number} CPU time of all its threads so far, in milliseconds */
function cpuMs(pid) {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  });
  return times.reduce((sum, time) => sum + time, 0);
}
