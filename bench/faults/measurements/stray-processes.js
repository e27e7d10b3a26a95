/**
 * Restarts of a program that leaves behind a process that has forked twice. Bystanders have the same
 * name and environment, but were not started by the supervisor, which must not signal them.
 */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { app } from '../../../test/support/home.js';
import { ask } from '../../../test/support/http-ask.js';
import { freePorts } from '../../../test/support/ports.js';
import { isRunning } from '../../../test/support/processes.js';
import { until } from '../../../test/support/until.js';
import { count, zero } from '../figures.js';
import { startApps } from '../supervisors/supervisor.js';

/**
 * @import { Table } from '../figures.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

const INSTANCES = 10;
/** Time for a killed process to exit. */
const EXIT_MS = 5000;

/** @type {Table[]} */
const tables = [
  {
    name: 'strays',
    title: 'Restarts of a program whose child has forked twice',
    by: {},
    apart: {},
    columns: [
      count('restarts', 'restarts'),
      zero('strays', 'strays'),
      zero('left after delete', 'left'),
      zero('zombies', 'zombies'),
      count('bystanders', 'bystanders'),
      zero('of these signalled', 'signalled'),
    ],
  },
];

/** @type {Measurement} */
export const strays = { name: 'strays', tables, measure };

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { scheduling, numbers }) {
  const mark = `NODECLUSTER_BENCH=${supervisor.root}`;
  const bystanders = new Bystanders(mark);
  try {
    const [PORT, otherPort] = await freePorts(2);
    const env = { PORT, NODECLUSTER_BENCH: supervisor.root };
    const spec = { name: 'api', script: app('daemonises.cjs'), instances: INSTANCES, env };
    await startApps(supervisor, scheduling, [spec]);
    await bystanders.addProgram(spec.script, otherPort);
    const primary = await supervisor.primaryOf('api');
    const rounds = Math.ceil(numbers.restarts / INSTANCES);
    for (let round = 0; round < rounds; round++) {
      const restart = supervisor.ok(['restart', 'api']);
      bystanders.addSleep();
      await restart;
    }
    // Each running worker has one of its own.
    const surplus = () => sleepsWith(mark).filter((pid) => !bystanders.has(pid)).length - INSTANCES;
    await until(() => surplus() <= 0, '', EXIT_MS).catch(() => {});
    const figures = { strays: surplus(), zombies: zombiesOf(primary) };
    await supervisor.ok(['delete', 'api']);
    const left = () => sleepsWith(mark).filter((pid) => !bystanders.has(pid)).length;
    await until(() => left() === 0, '', EXIT_MS).catch(() => {});
    return [
      {
        ...{ table: 'strays', restarts: rounds * INSTANCES, left: left(), ...figures },
        ...{ bystanders: bystanders.count, signalled: bystanders.ended() },
      },
    ];
  } finally {
    bystanders.end();
  }
}

class Bystanders {
  /** @type {Set<number>} */
  #pids = new Set();

  /** @param {string} mark `NAME=value`, also in the environment of the app */
  constructor(mark) {
    this.mark = mark;
  }

  get count() {
    return this.#pids.size;
  }

  /** @param {number} pid */
  has(pid) {
    return this.#pids.has(pid);
  }

  /** A process like those that the program leaves behind, but not started by it. */
  addSleep() {
    this.#add('sleep', ['3000'], {});
  }

  /**
   * The program itself, with the process that it leaves behind.
   * @param {string} script
   * @param {number} port
   */
  async addProgram(script, port) {
    this.#add(process.execPath, [script], { PORT: String(port) });
    const { left } = await until(() => ask(port), 'the program to answer');
    this.#pids.add(left.marked);
  }

  /** @param {string} command @param {string[]} args @param {Record<string, string>} env */
  #add(command, args, env) {
    const [key, value] = this.mark.split('=');
    const options = { env: { PATH: process.env.PATH, [key]: value, ...env } };
    const { pid } = spawn(command, args, { ...options, stdio: 'ignore' });
    if (pid) this.#pids.add(pid);
  }

  /** @returns {number} bystanders that no longer run */
  ended() {
    return [...this.#pids].filter((pid) => !isRunning(pid)).length;
  }

  end() {
    for (const pid of this.#pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
}

/** @param {string} mark @returns {number[]} pids */
function sleepsWith(mark) {
  return pids().filter(
    (pid) =>
      read(pid, 'cmdline').startsWith('sleep\0') && read(pid, 'environ').split('\0').includes(mark),
  );
}

/** @param {number} parent @returns {number} children that have exited and were not waited for */
function zombiesOf(parent) {
  return pids().filter((pid) => {
    const stat = read(pid, 'stat');
    const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' && Number(ppid) === parent;
  }).length;
}

function pids() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** @param {number} pid @param {string} file */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
