/**
 * Restarts of a program that leaves behind a process that has forked twice. Bystanders have the same
 * name and environment, but were not started by the supervisor, which must not signal them.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { app } from '../../../test/support/home.js';
import { ask } from '../../../test/support/http-ask.js';
import { freePorts } from '../../../test/support/ports.js';
import { commandOf, isRunning, processesOf } from '../../../test/support/processes.js';
import { until } from '../../../test/support/until.js';
import { count, zero } from '../figures.js';
import { startApps } from '../supervisors/supervisor.js';

/** @import { Measurement } from '../measurements.js' */

const INSTANCES = 10;
/** Time for a killed process to exit. */
const EXIT_MS = 5000;

/** @type {Measurement} */
export const strays = {
  name: 'strays',
  tables: [
    {
      name: 'strays',
      title: 'Restarts of a program whose child has forked twice',
      columns: [
        count('restarts', 'restarts'),
        zero('strays', 'strays'),
        zero('left after delete', 'left'),
        zero('zombies', 'zombies'),
        count('bystanders', 'bystanders'),
        zero('of these signalled', 'signalled'),
      ],
    },
  ],
  async measure(supervisor, { scheduling, numbers }) {
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
      const surplus = () =>
        sleepsIn(supervisor.root).filter((pid) => !bystanders.has(pid)).length - INSTANCES;
      await until(() => surplus() <= 0, '', EXIT_MS).catch(() => {});
      const figures = { strays: surplus(), zombies: zombiesOf(primary) };
      await supervisor.ok(['delete', 'api']);
      const left = () => sleepsIn(supervisor.root).filter((pid) => !bystanders.has(pid)).length;
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
  },
};

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

/** @param {string} root in the environment of the app and of the bystanders @returns {number[]} pids */
function sleepsIn(root) {
  return processesOf(root).filter((pid) => commandOf(pid).startsWith('sleep '));
}

/** @param {number} parent @returns {number} children that have exited and were not waited for */
function zombiesOf(parent) {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  return children.split(' ').filter((pid) => pid && !isRunning(Number(pid))).length;
}
