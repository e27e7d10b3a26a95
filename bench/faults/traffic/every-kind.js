/** All kinds of traffic at once, each against an app that serves it. */
import { join } from 'node:path';
import { freePorts } from '../../../test/support/ports.js';
import { executedIds } from '../../../test/support/traffic/traffic.js';
import { startApps } from '../supervisors/supervisor.js';
import { ClientGroup } from './clients.js';
import { LongTalks } from './conversations.js';
import { LONG_DRAIN_MS, apps, kinds, pipelinedKinds } from './kinds.js';

/**
 * @import { Supervisor } from '../supervisors/supervisor.js'
 * @import { Ports } from './kinds.js'
 *
 * @typedef {object} KindOutcome
 * @property {string} kind
 * @property {boolean} isPipelined
 * @property {string} app
 * @property {number} made
 * @property {number} failed
 * @property {number} withoutAnswer
 * @property {number} twice
 * @property {number} unanswered after `Connection: close`
 * @property {number} unansweredRan of these were executed
 * @property {number} lostRan executed of those that were cut
 */

/** Clients of each kind. */
const CLIENTS = 2;

/**
 * @template T
 * @param {Supervisor} supervisor
 * @param {string} scheduling
 * @param {(talks: LongTalks) => Promise<T>} disturb
 * @returns {Promise<{found: T, byKind: KindOutcome[], long: {cut: number, early: number}}>}
 */
export async function underEveryKind(supervisor, scheduling, disturb) {
  const executed = join(supervisor.root, 'executed');
  const ports = await startAll(supervisor, scheduling, executed);
  const groups = [...kinds, ...pipelinedKinds].map(({ kind, app, begin }, at) => {
    const prefix = `k${at}`;
    const group = new ClientGroup(() => begin(ports[app]), { clients: CLIENTS, prefix });
    return { kind, app, prefix, group };
  });
  const talks = new LongTalks(ports.long.PORT, { clients: 4, drainTimeoutMs: LONG_DRAIN_MS });
  const stop = () =>
    Promise.all([talks, ...groups.map(({ group }) => group)].map((one) => one.stop()));
  const found = await disturb(talks).finally(stop);
  const ran = executedIds(executed);
  const byKind = groups.map(({ kind, app, prefix, group }) => {
    for (const message of group.messages) console.error(`${supervisor.name}, ${kind}: ${message}`);
    const { made, failed, withoutAnswer, unanswered, lost } = group;
    return {
      ...{ kind, app, made, failed, withoutAnswer, unanswered: unanswered.length },
      isPipelined: pipelinedKinds.some((one) => one.kind === kind),
      twice: ran.twice.filter((id) => id.startsWith(`${prefix}/`)).length,
      unansweredRan: unanswered.filter((id) => ran.ids.has(id)).length,
      lostRan: lost.filter((id) => ran.ids.has(id)).length,
    };
  });
  return { found, byKind, long: { cut: talks.cut, early: talks.early } };
}

/** @param {Supervisor} supervisor @param {string} scheduling @param {string} executed */
async function startAll(supervisor, scheduling, executed) {
  const free = await freePorts(2 * apps.length);
  /** @type {Record<string, Ports>} */
  const ports = {};
  for (const { name } of apps) {
    ports[name] = { PORT: Number(free.pop()), TCP_PORT: Number(free.pop()) };
  }
  const described = apps.map((app) => ({
    ...app,
    min_uptime: 100,
    env: { EXECUTED: executed, ...app.env, ...portsOf(app, ports[app.name]) },
  }));
  await startApps(supervisor, scheduling, described);
  return ports;
}

/** @param {{env: object}} app @param {Ports} ports @returns {object} */
function portsOf({ env }, { PORT, TCP_PORT }) {
  return 'PROTOCOL' in env ? { PORT } : { PORT, TCP_PORT };
}
