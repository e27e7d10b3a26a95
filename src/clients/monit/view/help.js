/** The page that `?` opens; it fits a terminal of 40 columns. */
import { columnHelp } from '../../../show/columns.js';

/** @type {[keys: string, meaning: string][]} */
const KEYS = [
  ['↑ ↓  j k', 'move; also PgUp PgDn, g G'],
  ['/', 'filter by name or state'],
  ['Esc', 'clear the filter'],
  ['Space', 'fold the workers of an app'],
  ['Enter  d', 'describe the app'],
  ['r', 'reload, no request is lost'],
  ['R', 'restart'],
  ['s', 'stop; start what is stopped'],
  ['n', 'run a job now'],
  ['+  -', 'more or fewer workers'],
  ['Ctrl-L', 'redraw'],
  ['Ctrl-Z', 'to the shell; fg continues'],
  ['q  Ctrl-C', 'quit; the apps continue'],
];

const width = Math.max(...KEYS.concat(columnHelp).map(([name]) => name.length));

export const helpLines = [
  'Keys',
  ...KEYS.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  '',
  'Commands ask before they change',
  'anything. On a worker r, R and s apply',
  'to it, on an app to all its workers.',
  '',
  'Columns',
  ...columnHelp.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  '',
  'An app has the sum of cpu, memory and',
  'requests, and loop, delay and p99 of its',
  'worst worker.',
];
