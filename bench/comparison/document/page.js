/** The parts of the page that are not figures. */
import { nodesOf } from './tables.js';

/**
 * @import { Results } from '../../results.js'
 * @import { Row } from '../types.js'
 */

export const HEAD = [
  '# Benchmarks',
  '',
  '<!-- Written by `npm run bench`. Change bench/ instead. -->',
  '',
  'nodecluster with its defaults (`scheduling: fair`) beside the others, on two cores, shared with',
  'what sends the requests. More cores were not measured.',
  '',
  '"better" names the best of the others if it is better by more than chance: quartiles that do not overlap, or after one round a',
  'difference of more than 10 %, or of more than one request. An empty cell: it has no such thing, or was not measured.',
  '',
];

/** @param {Results<Row>} results @returns {string[]} */
export function howToRead({ environment, rows }) {
  const versions = Object.entries(environment?.versions ?? {}).map((pair) => pair.join(' '));
  return [
    '',
    `Measured on ${environment?.cores} cores (${environment?.processor}, ${environment?.system}); with`,
    `Node ${nodesOf(rows)}; ${versions.join(', ')}.`,
    '',
    '- Read the ratios: the other figures depend on the machine. They are to a single process, those of commands to `node -e 0`,',
    '  those of reloads to PM2 7. [Every measurement](benchmarks.json) is in a file.',
    '- All take turns in each round, and a ratio compares two figures of the same round; shown is the median.',
    '- MB beside the workers are the private memory of all other processes; with them, it is `Pss`. Each app has one worker.',
    '- CPU is that of supervisor and workers. It holds on a busy machine, where requests/s do not.',
    '- "node:cluster" is the usual script without a supervisor.',
    '- Each loss is of one fault in a round: [series of them](../explanations/reliability.md#beside-pm2-7).',
    '',
  ];
}

export const HOW_TO_REPEAT = [
  '',
  '## How to repeat',
  '',
  '```sh',
  'npm ci && npm ci --prefix bench     # Debian: apt-get install apache2-utils',
  'npm run bench                       # every case, about 75 minutes; --list names them',
  'npm run bench -- --only connections --rounds 5 --node /path/to/another/node',
  'npm run bench -- --document         # this page again, from benchmarks.json',
  '```',

  '',
];
