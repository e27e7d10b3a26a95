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
  ['bunyan', ['{"name":"x","level":60,"err":{},"msg":"giving up","v":0}'], 'giving up'],
  ['winston as text', ['error: no licence'], 'error: no licence'],
  [
    'winston as an object in several lines',
    ['{', "  message: 'no licence',", "  level: 'error',", "  timestamp: '2026-11-28'", '}'],
    'no licence',
  ],
  [
    'pino in several lines',
    [
      '[12:00:00.000] FATAL (123): giving up',
      '    err: {',
      '      "type": "Error",',
      '      "message": "no licence",',
      '      "stack":',
      '          Error: no licence',
      '              at boot (/srv/app.js:3:1)',
      '    }',
    ],
    'no licence (app.js:3)',
  ],
  [
    'an error of PostgreSQL, with all its properties',
    [
      '/srv/db.js:4',
      'const d = query();',
      '          ^',
      'error: relation "orders" does not exist',
      '    at query (/srv/db.js:4:23) {',
      '  length: 106,',
      "  severity: 'ERROR',",
      '… 12 lines',
      "  routine: 'parserOpenTable'",
      '}',
      'Node.js v20.20.2',
    ],
    'error: relation "orders" does not exist (db.js:4)',
  ],
  [
    'zod',
    [
      'ZodError: [',
      '  {',
      '    "path": [',
      '      "PORT"',
      '    ],',
      '    "message": "Required"',
      '  }',
      ']',
      '    at parse (/srv/env.js:1:75)',
    ],
    'ZodError: [ { "path": [ "PORT" ], "message": "Required" } ] (env.js:1)',
  ],
  [
    'an error without a stack in console.error',
    [
      '[Error: ENOSPC: no space left on device, write] {',
      '  errno: -28,',
      "  code: 'ENOSPC',",
      '}',
    ],
    'ENOSPC: no space left on device, write',
  ],
  [
    'the same after words, and with frames of Node that were left out',
    ['cannot save Error: ENOSPC: no space left on device, write {', '  errno: -28,', '}'],
    'ENOSPC: no space left on device, write',
  ],
  [
    'an AggregateError, not the errors in it',
    [
      '[AggregateError: All promises were rejected] {',
      '  [errors]: [',
      '    Error: a failed',
      '        at a (/srv/a.js:1:29),',
      '    Error: b failed',
      '        at b (/srv/b.js:1:67)',
      '  ]',
      '}',
    ],
    'AggregateError: All promises were rejected (a.js:1)',
  ],
  [
    'a chain of causes',
    [
      'Error: cannot start',
      '    at start (/srv/app.js:1:7) {',
      '  [cause]: Error: no database',
      '      at connect (/srv/db.js:1:39) {',
      '    [cause]: Error: connect ECONNREFUSED 127.0.0.1:5432',
      '        at dial (/srv/net.js:1:70)',
      '  }',
      '}',
    ],
    'cannot start (app.js:1)',
  ],
  [
    'a message of several lines',
    [
      'Error: Invalid configuration:',
      '  - PORT is missing',
      '  - URL is not one',
      '    at a (/srv/a.js:1:7)',
    ],
    'Invalid configuration: - PORT is missing - URL is not one (a.js:1)',
  ],
  [
    'a message that begins in the second line',
    [
      'PrismaClientInitializationError: ',
      'Invalid `prisma.user.find()` invocation:',
      "Can't reach it",
      '    at a (/srv/a.js:1:7)',
    ],
    "PrismaClientInitializationError: Invalid `prisma.user.find()` invocation: Can't reach it (a.js:1)",
  ],
  [
    'a rejection with text',
    [
      'UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "no licence".',
      '    at throwUnhandledRejectionsMode (node:internal/process/promises:389:7) {',
      "  code: 'ERR_UNHANDLED_REJECTION'",
      '}',
      'Node.js v20.20.2',
    ],
    'unhandled rejection: no licence',
  ],
  [
    'an object that was thrown',
    ['/srv/a.js:1', 'throw {', '^', '{', '  code: 7,', "  why: 'no'", '}'],
    "{ code: 7, why: 'no' }",
  ],
  [
    'text that was thrown',
    [
      '/srv/a.js:1',
      "throw 'text'",
      '^',
      'text',
      '(Use `node --trace-uncaught ...` to show where the exception was thrown)',
    ],
    'text',
  ],
  [
    'process.abort(), long after an error was logged',
    [
      'Error: a request failed',
      '    at old (/srv/old.js:9:1)',
      'GET /',
      '----- Native stack trace -----',
      ' 1: 0xd3a3c0  [node]',
      '----- JavaScript stack trace -----',
      '1: /srv/app.js:1:9',
      '2: Module._compile (node:internal/modules/cjs/loader:1521:14)',
    ],
    'aborted (app.js:1)',
  ],
  [
    'an assertion of Node',
    [
      '  #  node[7]: void node::x() at ../src/x.cc:70',
      '  #  Assertion failed: (x) == (y)',
      '----- Native stack trace -----',
      ' 1: 0xd3a3c0  [node]',
    ],
    'Assertion failed: (x) == (y)',
  ],
  [
    'a check of V8',
    [
      '#',
      '# Fatal error in , line 0',
      '# Check failed: x.',
      '#',
      '----- Native stack trace -----',
      ' 1: 0xd3  [node]',
    ],
    'Check failed: x.',
  ],
  [
    'Python',
    [
      'Traceback (most recent call last):',
      '  File "/srv/app.py", line 3, in <module>',
      '    f()',
      'ValueError: bad config',
    ],
    'ValueError: bad config',
  ],
  [
    'Go',
    ['panic: no database', 'goroutine 1 [running]:', 'main.main()', '\t/srv/main.go:3 +0x3b'],
    'panic: no database',
  ],
  [
    'Rust',
    [
      "thread 'main' (7) panicked at src/main.rs:1:67:",
      'called `Result::unwrap()` on an `Err` value: "no database"',
      'note: run with `RUST_BACKTRACE=1`',
    ],
    'called `Result::unwrap()` on an `Err` value: "no database" (main.rs:1)',
  ],
  [
    'Rust of 2022',
    [
      "thread 'main' panicked at 'no database', src/main.rs:2:5",
      'note: run with `RUST_BACKTRACE=1`',
    ],
    'no database (main.rs:2)',
  ],
  [
    'Java, not its cause',
    [
      'Exception in thread "main" java.lang.RuntimeException: cannot start',
      '\tat J.main(J.java:1)',
      'Caused by: java.lang.IllegalStateException: inner',
      '\tat J.main(J.java:1)',
    ],
    'java.lang.RuntimeException: cannot start',
  ],
  [
    'a shell',
    ['run.sh: line 1: serve: command not found'],
    'run.sh: line 1: serve: command not found',
  ],
  ['an endless line', ['x'.repeat(5000)], 'x'.repeat(200)],
];

for (const [what, lines, cause] of rows) {
  t.test(what, async (t) => t.equal(causeOf(lines), cause));
}
