/**
 * Restarts of a program that leaves a process behind which has forked twice, beside processes of
 * the same name and with the same environment that are none of the supervisor's business.
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
/** What one that is ended may take to be gone. */
const GONE_MS = 5000;

/** @type {Table[]} */
const tables = [
  {
    name: 'strays',
    title: 'Restarts of a program whose child has forked twice',
    by: {},
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
    // As many as there are workers belong to them.
    const surplus = () => sleepsWith(mark).filter((pid) => !bystanders.has(pid)).length - INSTANCES;
    await until(() => surplus() <= 0, '', GONE_MS).catch(() => {});
    const figures = { strays: surplus(), zombies: zombiesOf(primary) };
    await supervisor.ok(['delete', 'api']);
    const left = () => sleepsWith(mark).filter((pid) => !bystanders.has(pid)).length;
    await until(() => left() === 0, '', GONE_MS).catch(() => {});
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

  /** @param {string} mark what the environment of the app has too */
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

  /** What the program leaves behind, started by nobody who is watched. */
  addSleep() {
    this.#add('sleep', ['3000'], {});
  }

  /**
   * The program itself, and what it leaves behind.
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

  /** @returns {number} how many do not run any more */
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

/** @param {number} parent @returns {number} children that have ended and that it has not counted */
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
