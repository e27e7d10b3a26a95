/** Reloads under load, by kind of traffic. All kinds run at once, and all apps are reloaded. */
import { join } from 'node:path';
import { freePorts } from '../../../test/support/ports.js';
import { executedIds } from '../../../test/support/traffic/traffic.js';
import { median } from '../../table.js';
import { ClientGroup } from '../traffic/clients.js';
import { LongTalks } from '../traffic/conversations.js';
import { count, distinct, least, middle, most, sum, zero } from '../figures.js';
import { LONG_DRAIN_MS, apps, kinds, pipelinedKinds } from '../traffic/kinds.js';
import { startApps } from '../supervisors/supervisor.js';

/**
 * @import { Table } from '../figures.js'
 * @import { Ports } from '../traffic/kinds.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { Reloaded, Supervisor } from '../supervisors/supervisor.js'
 */

/** Clients of each kind. */
const CLIENTS = 2;
/** Pause between two reloads. */
const PAUSE_MS = 100;

/** @type {Table[]} */
const tables = [
  {
    name: 'reloads',
    title: 'Reloads under load, by kind of traffic',
    by: { kind: 'kind' },
    columns: [
      count('reloads', 'reloads'),
      count('requests', 'made'),
      zero('failed', 'failed'),
      zero('without answer', 'withoutAnswer'),
      zero('executed twice', 'twice'),
      { head: 'desired', of: 'desired', over: distinct },
      { head: 'fewest ready', of: 'fewest', over: least, must: (row) => row.fewest >= row.desired },
      { head: 'median s', of: 'seconds', over: middle },
      { head: 'longest s', of: 'longest', over: most },
    ],
  },
  {
    name: 'pipelined',
    title: 'Pipelined requests in the same reloads',
    by: { kind: 'kind' },
    columns: [
      count('reloads', 'reloads'),
      count('requests', 'made'),
      count('unanswered after Connection: close', 'unanswered'),
      count('executed of these', 'unansweredRan'),
      count('cut by a reset', 'failed'),
      count('executed of these', 'lostRan'),
      zero('without end', 'withoutAnswer'),
      zero('executed twice', 'twice'),
    ],
  },
  {
    name: 'long',
    title: 'Conversations that never end, in the same reloads',
    by: {},
    columns: [
      count('reloads', 'reloads'),
      count('cut', 'cut'),
      { head: 'reported', of: 'reported', over: sum, must: (row) => row.reported === row.cut },
      zero('before drain_timeout', 'early'),
    ],
  },
];

/** @type {Measurement} */
export const reloads = { name: 'reloads', tables, measure };

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { scheduling, numbers }) {
  const executed = join(supervisor.root, 'executed');
  const ports = await startAll(supervisor, scheduling, executed);
  const groups = [...kinds, ...pipelinedKinds].map((kind, at) => ({
    ...kind,
    prefix: `k${at}`,
    group: new ClientGroup(() => kind.begin(ports[kind.app]), {
      clients: CLIENTS,
      prefix: `k${at}`,
    }),
  }));
  const talks = new LongTalks(ports.long.PORT, { clients: 4, drainTimeoutMs: LONG_DRAIN_MS });
  const stop = () =>
    Promise.all([talks, ...groups.map(({ group }) => group)].map((one) => one.stop()));
  const reloaded = await reloadAgain(supervisor, numbers.reloads, talks).finally(stop);
  const ran = executedIds(executed);
  const byKind = groups.map(({ kind, app, prefix, group }) => {
    for (const message of group.messages) console.error(`${supervisor.name}, ${kind}: ${message}`);
    const { made, failed, withoutAnswer, unanswered, lost } = group;
    const twice = ran.twice.filter((id) => id.startsWith(`${prefix}/`)).length;
    const isPipelined = pipelinedKinds.some((one) => one.kind === kind);
    return {
      ...{ table: isPipelined ? 'pipelined' : 'reloads', kind, reloads: numbers.reloads },
      ...{ made, failed, withoutAnswer, twice, unanswered: unanswered.length },
      unansweredRan: unanswered.filter((id) => ran.ids.has(id)).length,
      lostRan: lost.filter((id) => ran.ids.has(id)).length,
      ...figuresOf(reloaded.filter((one) => one.app === app)),
    };
  });
  const { cut, early } = talks;
  const { reported } = figuresOf(reloaded.filter((one) => one.app === 'long'));
  return [...byKind, { table: 'long', reloads: numbers.reloads, cut, early, reported }];
}

/**
 * @param {Supervisor} supervisor
 * @param {string} scheduling
 * @param {string} executed
 */
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

/**
 * @param {Supervisor} supervisor
 * @param {number} reloads
 * @param {LongTalks} talks
 */
async function reloadAgain(supervisor, reloads, talks) {
  const reloaded = [];
  for (let reload = 0; reload < reloads; reload++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    talks.begunMs = performance.now();
    reloaded.push(...(await supervisor.reloadAll(apps.map(({ name }) => name))));
  }
  return reloaded;
}

/** @param {Reloaded[]} reloaded of one app */
function figuresOf(reloaded) {
  const seconds = reloaded.map((one) => one.seconds);
  const fewest = reloaded.map((one) => one.fewestReady).filter((one) => one !== null);
  const cut = reloaded.map((one) => one.cut).filter((one) => one !== null);
  return {
    desired: 2,
    fewest: fewest.length > 0 ? Math.min(...fewest) : null,
    reported: cut.length > 0 ? sum(cut) : null,
    seconds: median(seconds),
    longest: Math.max(...seconds),
  };
}
