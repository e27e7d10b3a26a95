/** Reloads under load, by kind of traffic. All kinds run at once, and all apps are reloaded. */
import { count, least, most, sum, zero } from '../figures.js';
import { underEveryKind } from '../traffic/every-kind.js';
import { apps } from '../traffic/kinds.js';

/**
 * @import { Column } from '../figures.js'
 * @import { LongTalks } from '../traffic/conversations.js'
 * @import { Measurement } from '../measurements.js'
 * @import { Reloaded, Supervisor } from '../supervisors/supervisor.js'
 */

/** Pause between two reloads. */
const PAUSE_MS = 100;

/** @type {Column[]} */
const losses = [
  count('requests', 'made'),
  zero('failed', 'failed'),
  zero('without answer', 'withoutAnswer'),
  zero('executed twice', 'twice'),
];

/** How many workers each app has. */
const DESIRED = 2;

/** @type {Column} */
const fewestReady = {
  head: `fewest ready of ${DESIRED}`,
  of: 'fewest',
  over: least,
  must: (row) => row.fewest >= row.desired,
};

/** @type {Measurement} */
export const reloads = {
  name: 'reloads',
  tables: [
    {
      name: 'reloads',
      title: 'Reloads under load, by kind of traffic',
      by: { kind: 'kind' },
      columns: [count('reloads', 'reloads'), ...losses],
    },
    {
      name: 'reloads-by-policy',
      rowsOf: 'reloads',
      title: 'The same for all kinds of traffic together',
      columns: [
        { head: 'reloads', of: 'ofAllApps', over: most },
        ...losses.slice(0, 3),
        fewestReady,
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
      columns: [
        count('reloads', 'reloads'),
        count('cut', 'cut'),
        { head: 'reported', of: 'reported', over: sum, must: (row) => row.reported === row.cut },
        zero('before drain_timeout', 'early'),
      ],
    },
  ],
  async measure(supervisor, { scheduling, numbers }) {
    const rounds = Math.ceil(numbers.reloads / apps.length);
    const reload = (/** @type {LongTalks} */ talks) => reloadAgain(supervisor, rounds, talks);
    const { found, byKind, long } = await underEveryKind(supervisor, scheduling, reload);
    const reloadsOf = (/** @type {string} */ app) =>
      figuresOf(found.filter((one) => one.app === app));
    const rows = byKind.map(({ isPipelined, app, ...kind }) => ({
      ...{ table: isPipelined ? 'pipelined' : 'reloads', reloads: rounds },
      ofAllApps: found.length,
      ...kind,
      ...reloadsOf(app),
    }));
    const { reported } = reloadsOf('long');
    return [...rows, { table: 'long', reloads: rounds, ...long, reported }];
  },
};

/** @param {Supervisor} supervisor @param {number} rounds @param {LongTalks} talks */
async function reloadAgain(supervisor, rounds, talks) {
  const reloaded = [];
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    talks.begunMs = performance.now();
    reloaded.push(...(await supervisor.reloadAll(apps.map(({ name }) => name))));
  }
  return reloaded;
}

/** @param {Reloaded[]} reloaded of one app */
function figuresOf(reloaded) {
  const fewest = reloaded.map((one) => one.fewestReady).filter((one) => one !== null);
  const cut = reloaded.map((one) => one.cut).filter((one) => one !== null);
  return {
    desired: DESIRED,
    fewest: fewest.length > 0 ? Math.min(...fewest) : null,
    reported: cut.length > 0 ? sum(cut) : null,
  };
}
