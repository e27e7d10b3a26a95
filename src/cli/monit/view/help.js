/** The page that `?` opens; it fits a terminal of 40 columns. */

/** @type {[keys: string, meaning: string][]} */
const KEYS = [
  ['↑ ↓  j k', 'move; PgUp PgDn, g G: far'],
  ['/', 'show only what matches'],
  ['Esc', 'show all again'],
  ['Space', 'fold the workers of an app'],
  ['Enter  d', 'describe the app'],
  ['r', 'reload, no request is lost'],
  ['R', 'restart'],
  ['s', 'stop; start what is stopped'],
  ['+  -', 'more or fewer workers'],
  ['Ctrl-L', 'draw all anew'],
  ['Ctrl-Z', 'to the shell; fg goes on'],
  ['q  Ctrl-C', 'quit; the apps go on'],
];

/** @type {[column: string, meaning: string][]} */
const COLUMNS = [
  ['cpu', 'of one core'],
  ['memory', 'resident (RSS)'],
  ['loop', 'busy share of the event loop'],
  ['delay', 'of the event loop, p99'],
  ['req/s', 'HTTP requests answered'],
  ['p99', 'the time that they took'],
  ['5xx/s', 'answers that are errors'],
];

const width = Math.max(...[...KEYS, ...COLUMNS].map(([name]) => name.length));

/** What changes something is asked first. */
export const helpLines = [
  'Keys',
  ...KEYS.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  '',
  'What changes something is asked first.',
  'With a worker selected, r R s are about',
  'it; with an app, about all its workers.',
  '',
  'Columns',
  ...COLUMNS.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  '',
  'Of an app cpu, memory and requests are',
  'sums; loop, delay and p99 those of its',
  'worst worker.',
];
