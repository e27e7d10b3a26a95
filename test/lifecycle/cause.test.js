import t from 'tap';
import { causeOf } from '../../src/lifecycle/cause.js';

/** @type {[what: string, lines: string[], cause: string | null][]} */
const rows = [
  ['nothing', [], null],
  ['only the version', ['Node.js v22.1.0'], null],
  [
    'a module that is missing',
    [
      "Error: Cannot find module 'express2'",
      'Require stack:',
      '- /srv/app.js',
      '    at Object.<anonymous> (/srv/app.js:1:17) {',
      "  code: 'MODULE_NOT_FOUND',",
      'Node.js v22.1.0',
    ],
    "Cannot find module 'express2'",
  ],
  [
    'an exception',
    [
      '/srv/hooks.js:1',
      'null.x',
      '     ^',
      "TypeError: Cannot read properties of null (reading 'x')",
      '    at Object.<anonymous> (/srv/hooks.js:1:6)',
    ],
    "TypeError: Cannot read properties of null (reading 'x') (hooks.js:1)",
  ],
  [
    'a system error in an ES module',
    [
      "Error: ENOSPC: no space left on device, open '/data/x'",
      '    at file:///srv/node_modules/log/index.js:4:2',
      '    at async write (file:///srv/src/hooks.js:12:3) {',
      '  errno: -28,',
    ],
    "ENOSPC: no space left on device, open '/data/x' (hooks.js:12)",
  ],
  [
    'an error that pino has logged with its stack',
    [
      JSON.stringify({
        level: 60,
        err: {
          type: 'Error',
          message: 'no VAT rate for CH',
          stack: 'at a (/srv/a.js:1:1) '.repeat(60),
        },
        msg: 'giving up',
      }),
    ],
    'no VAT rate for CH',
  ],
  [
    'an error that was logged after some words',
    [
      '2026-11-28T02:25:25.746Z ERROR order not placed: Error: ENOSPC: no space left on device, write',
      '    at OrderJournal.append (/srv/journal.cjs:14:8)',
      '    at placeOrder (/srv/server.cjs:13:13) {',
      '  errno: -28,',
      "  code: 'ENOSPC',",
      '}',
    ],
    'ENOSPC: no space left on device, write (journal.cjs:14)',
  ],
  [
    'words that are only like an error, and a stack without one',
    [
      'POST /orders Error: 500',
      'Trace: here it is',
      '    at search (/srv/server.cjs:22:21)',
      '    at emit (/srv/lib.cjs:9:1)',
    ],
    'Trace: here it is',
  ],
  [
    'the error, not its cause',
    ['Error: no database', '    at a (/srv/db.js:3:1) {', '  [cause]: Error: ECONNREFUSED', '}'],
    'no database (db.js:3)',
  ],
  [
    'a heap that is full',
    ['FATAL ERROR: Reached heap limit - JavaScript heap out of memory', ' 1: 0xb8 node::Abort()'],
    'Reached heap limit - JavaScript heap out of memory',
  ],
  [
    'the last error, not one that was logged before',
    [
      'Error: a request failed',
      '    at old (/srv/old.js:9:1)',
      '/srv/new.js:2',
      'TypeError: no',
      '    at a (/srv/node_modules/x/a.js:1:1)',
      '    at b (/srv/new.js:2:1)',
    ],
    'TypeError: no (new.js:2)',
  ],
  ['an error without frames', ['/srv/new.js:2', 'x', '^', 'Error: no'], 'no (new.js:2)'],
  [
    'npm',
    [
      'npm error Missing script: "serve"',
      'npm error',
      'npm error To see a list of scripts, run:',
      'npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log',
    ],
    'Missing script: "serve"',
  ],
  [
    'npm with a code',
    ['npm error code ENOENT', 'npm error syscall open', 'npm error enoent no package.json'],
    'enoent no package.json',
  ],
  [
    'a fatal line',
    ['2026-11-26 10:00:01 FATAL licence has expired', 'closing', 'bye'],
    '2026-11-26 10:00:01 FATAL licence has expired',
  ],
  ['fatal as a word', ['this is not fatal', 'bye'], 'bye'],
  [
    'properties',
    ['Error: bind EADDRINUSE null:45110 {', "  code: 'EADDRINUSE',"],
    'bind EADDRINUSE null:45110',
  ],
  ['words', ['config: PORT is missing', '  bye '], 'bye'],
  ['pino', ['{"level":60,"msg":"fatal","err":{"message":"no such table"}}'], 'no such table'],
  [
    'the stack of pino',
    [
      '{"level":60,"msg":"bye","err":{"message":"no","stack":"TypeError: no\\n    at a (/srv/db.js:3:1)"}}',
    ],
    'TypeError: no (db.js:3)',
  ],
  ['winston', ['{"level":"error","message":"no license"}'], 'no license'],
  ['other JSON', ['{"a":1}'], '{"a":1}'],
  ['half a line of JSON', ['{"a":'], '{"a":'],
  ['an endless line', ['x'.repeat(5000)], 'x'.repeat(200)],
];

for (const [what, lines, cause] of rows) {
  t.test(what, async (t) => t.equal(causeOf(lines), cause));
}
