/** The parts of docs/benchmarks.md that are not figures. */

/**
 * @import { Results } from '../results.js'
 * @import { Block } from './tables.js'
 */

/** @param {Results} results @param {Block[]} blocks @returns {string[]} */
export function foreword({ environment }, blocks) {
  const nodes = [...new Set(blocks.map(({ node }) => node.slice(1)))].join(', ');
  const versions = Object.entries(environment?.versions ?? {}).map((pair) => pair.join(' '));
  return [
    '# Benchmarks',
    '',
    '<!-- Written by `npm run bench`. Change bench/ instead. -->',
    '',
    `Measured on ${environment?.cores} cores (${environment?.processor}, ${environment?.system}),`,
    `${environment?.date}. Node ${nodes}; ${versions.join(', ')}. Load and programs share the cores.`,
    '',
    '- All candidates take turns in each round, and a ratio compares two figures of the same round. A table shows the',
    '  median of the rounds; quartiles are in brackets. Read the ratios: the other figures depend on the machine.',
    '- CPU is the user and system time of all processes of a candidate (supervisor and workers), from `/proc`. It holds on a busy machine, where requests/s',
    '  do not.',
    '- "single process" is the program alone, "node:cluster" the usual script without a supervisor. PM2 and Watt run the same program with as many workers.',
    '- Two cores cannot show what four do, such as the ratio of 3.60 of the published results. With one round there are no quartiles to speak of: a small',
    '  difference says nothing then.',
    '- 100 reloads of each policy and the faults of every kind are in [reliability](reliability.md), as is the memory of a [long run](soak.svg).',
    '',
  ];
}

export const HOW_TO_REPEAT = [
  '',
  '## How to repeat',
  '',
  '```sh',
  'npm ci && npm ci --prefix bench     # Debian: apt-get install apache2-utils siege',
  'npm run bench                       # every case, about 25 minutes; --list names them',
  'npm run bench -- --rounds 5         # more of each, for narrower quartiles',
  'BENCH_GHOST=<directory> npm run bench -- --only table-d-cms   # the file of the case says what is in it',
  'npm run bench -- --only connections --rounds 3 --node /path/to/another/node',
  'npm run bench -- --document         # this page again, from bench/results.json',
  '```',
  '',
  'Results are saved after each measurement: run the same command again to continue, add `--again` to measure again.',
  'A tool or a peer that is not installed is a gap in the tables, not an error. `--seconds` is the length of each load.',
  '',
];
