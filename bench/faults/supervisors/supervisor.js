/**
 * What a measurement needs from a supervisor. Both read the same ecosystem file and have the same
 * verbs, so both get the same programs and the same commands.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { until } from '../../../test/support/until.js';

/** @import { Ended } from '../../../test/support/home.js' */

/**
 * @typedef {object} Supervisor
 * @property {string} name
 * @property {string} root a directory of its own, removed afterwards
 * @property {(args: string[]) => Promise<Ended>} run
 * @property {(args: string[]) => Promise<unknown>} ok throws when it does not end with 0
 * @property {(app: string) => Promise<{pid: number, restarts: number, status: string}[]>} workers
 * @property {(app: string) => Promise<number>} primaryOf the process that holds the sockets
 * @property {(apps: string[]) => Promise<Reloaded[]>} reloadAll in one command, at the same time where
 *   the supervisor can do that
 *
 * @typedef {object} Reloaded
 * @property {string} app
 * @property {number | null} fewestReady null: the supervisor does not report it
 * @property {number | null} cut long-lived connections that it says it has cut
 *
 * @typedef {object} App what is written into the ecosystem file, besides what all have
 * @property {string} name
 * @property {string} script
 * @property {Record<string, unknown>} env
 */

/** Intended kills must not use up the restart budget or be delayed. */
export const RESTARTS_UNLIMITED = { max_restarts: 100_000, exp_backoff_restart_delay: 0 };

/**
 * Waits until every expected port is open, whatever the supervisor reports.
 * @param {Supervisor} supervisor
 * @param {string} scheduling PM2 has no such key: it gets a variable of Node's
 * @param {(App & Record<string, unknown>)[]} apps
 * @param {{mayFail?: boolean}} [how]
 */
export async function startApps(supervisor, scheduling, apps, { mayFail = false } = {}) {
  const file = join(supervisor.root, 'ecosystem.json');
  const always = { instances: 2, exec_mode: 'cluster', scheduling };
  writeFileSync(file, JSON.stringify({ apps: apps.map((app) => ({ ...always, ...app })) }));
  if (mayFail) return supervisor.run(['start', file]);
  await supervisor.ok(['start', file]);
  const ports = apps.flatMap(({ env: { PORT, TCP_PORT } }) => [PORT, TCP_PORT]);
  for (const port of new Set(ports.filter(Boolean))) {
    await until(() => isOpen(Number(port)), `port ${port} to be open`);
  }
}

/** @param {number} port */
async function isOpen(port) {
  const socket = net.connect(port, '127.0.0.1');
  try {
    return await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
