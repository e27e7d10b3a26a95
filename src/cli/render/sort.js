/** In which order `ls` shows apps. */
import { appTone, figuresOf } from '../../show/rows.js';
import { TONES } from '../../show/tone.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { Sort } from '../commands/ls.js'
 */

/** @type {Record<string, (app: App) => string | number | null>} null: unknown */
const VALUES = {
  name: ({ name }) => name,
  id: ({ workers }) => lowest(workers.map(({ id }) => id)),
  pid: ({ workers }) => lowest(workers.map(({ pid }) => pid)),
  // What is wrong comes first.
  status: (app) => `${TONES.indexOf(appTone(app, Date.now()))} ${app.status}`,
  cpu: ({ workers }) => figuresOf(workers, Date.now()).cpu ?? null,
  memory: ({ workers }) => figuresOf(workers, Date.now()).memory ?? null,
  // The latest start is the shortest uptime.
  uptime: ({ workers }) => lowest(workers.map(({ startedAt }) => startedAt && -startedAt)),
  restarts: ({ workers }) => figuresOf(workers, Date.now()).restarts ?? null,
};

/** @param {App[]} apps @param {Sort} sort */
export function sortApps(apps, { key, isDescending }) {
  return [...apps].sort((one, other) => {
    const [a, b] = [VALUES[key](one), VALUES[key](other)];
    // Unknown values come last.
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = Number(a > b) - Number(a < b);
    return isDescending ? -order : order;
  });
}

/** @param {(number | undefined)[]} values */
function lowest(values) {
  const known = values.flatMap((value) => value ?? []);
  return known.length > 0 ? Math.min(...known) : null;
}
