/** The columns of `ls`, `describe` and `monit`: where each stands, and its width and priority. */
import { columns } from '../../../show/columns.js';
import { stateText, stateTone } from '../../../show/state.js';

/**
 * @import { Colour } from '../../../show/paint.js'
 * @import { Row } from '../../../show/rows.js'
 */

/**
 * @typedef {object} Column
 * @property {string} heading
 * @property {number} priority if there is no room, the column with the lowest priority is dropped
 *   first; Infinity: never dropped
 * @property {'left' | 'right'} align
 * @property {number} width in `monit`, where a column keeps its width from frame to frame
 * @property {(row: Row) => string} text
 * @property {(row: Row) => Colour} [tone] in `monit`
 */

/** In `monit`. @type {Record<string, number>} */
const WIDTHS = {
  id: 3,
  name: 20,
  namespace: 9,
  user: 10,
  mode: 7,
  status: 17,
  port: 5,
  cpu: 6,
  memory: 6,
  loop: 4,
  'delay p50': 9,
  delay: 6,
  heap: 6,
  conns: 5,
  'req/s': 6,
  '5xx/s': 5,
  p50: 6,
  p99: 6,
  restarts: 8,
  uptime: 7,
  pid: 7,
  gen: 3,
};
const LEFT = ['name', 'namespace', 'user', 'mode', 'status'];

/** The columns of each table from left to right, each with its priority. */
const tables = {
  ls: {
    id: Infinity,
    name: Infinity,
    namespace: 2,
    user: 2.5,
    mode: 1,
    status: Infinity,
    port: 0,
    cpu: 9,
    memory: 8,
    loop: 4,
    delay: 3,
    'req/s': 5,
    p99: 3.5,
    uptime: 6,
    restarts: 7,
    pid: 4.5,
  },
  measured: {
    name: Infinity,
    loop: 9,
    'delay p50': 4,
    delay: 8,
    heap: 5,
    conns: 3,
    'req/s': 10,
    '5xx/s': 6,
    p50: 2,
    p99: 7,
  },
  monit: {
    name: Infinity,
    status: 99,
    port: 36,
    cpu: 90,
    memory: 85,
    loop: 80,
    delay: 70,
    'req/s': 88,
    '5xx/s': 40,
    p50: 30,
    p99: 75,
    conns: 25,
    heap: 20,
    restarts: 38,
    uptime: 35,
    pid: 15,
    gen: 12,
    id: 10,
  },
};

/**
 * @param {keyof typeof tables} table
 * @returns {Column[]} from left to right
 */
export function columnsOf(table) {
  return Object.entries(tables[table]).map(([heading, priority]) => ({
    ...(heading === 'status' ? { text: stateText, tone: stateTone } : columns[heading]),
    align: LEFT.includes(heading) ? 'left' : 'right',
    width: WIDTHS[heading],
    heading,
    priority,
  }));
}
