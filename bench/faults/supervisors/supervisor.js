/**
 * What a measurement needs of a supervisor. Both understand the same ecosystem file and the same
 * verbs, so they get the same programs and the same commands.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Supervisor
 * @property {string} name
 * @property {string} root a folder of its own, removed afterwards
 * @property {(args: string[]) => Promise<import('../../../test/support/home.js').Ended>} run
 * @property {(args: string[]) => Promise<unknown>} ok throws when it does not end with 0
 * @property {(app: string) => Promise<{pid: number, restarts: number, status: string}[]>} workers
 * @property {(app: string) => Promise<number>} primaryOf the process that holds the sockets
 * @property {(apps: string[]) => Promise<Reloaded[]>} reloadAll under way at the same time where
 *   the supervisor can do that
 *
 * @typedef {object} Reloaded
 * @property {string} app
 * @property {number} seconds PM2: of the command for all of them
 * @property {number | null} fewestReady null: the supervisor does not tell
 * @property {number | null} cut long-lived connections that it says it has cut
 *
 * @typedef {object} App what is written into the ecosystem file, besides what all have
 * @property {string} name
 * @property {string} script
 * @property {Record<string, unknown>} env
 */

/** Deaths that are wanted must not use the budget up, nor wait. */
export const RESTARTS_UNLIMITED = { max_restarts: 100_000, exp_backoff_restart_delay: 0 };

/**
 * @param {Supervisor} supervisor
 * @param {string} scheduling PM2 has no such key: it gets a variable of Node's
 * @param {(App & Record<string, unknown>)[]} apps
 * @param {{mayFail?: boolean}} [how]
 */
export async function startApps(supervisor, scheduling, apps, { mayFail = false } = {}) {
  const file = join(supervisor.root, 'ecosystem.json');
  const always = { instances: 2, exec_mode: 'cluster', scheduling };
  writeFileSync(file, JSON.stringify({ apps: apps.map((app) => ({ ...always, ...app })) }));
  await (mayFail ? supervisor.run : supervisor.ok)(['start', file]);
}
