import t from 'tap';
import { causeOf } from '../../src/lifecycle/cause.js';

/** Of each program what it wrote last, below the cause that is seen in it. */
const OUTPUTS = `
=== only the version: nothing
Node.js v22.1.0
=== a server that was well: nothing
2026-12-01T06:00:00Z Server listening on http://localhost:3000
ready
=== what it could not do: not ready: no database
listening on 3000
not ready: no database
=== a module that is missing: Cannot find module 'express2'
Error: Cannot find module 'express2'
Require stack:
- /srv/app.js
    at Object.<anonymous> (/srv/app.js:1:17) {
  code: 'MODULE_NOT_FOUND',
Node.js v22.1.0
=== knex without its database: connect ECONNREFUSED 127.0.0.1:5432
Error: connect ECONNREFUSED 127.0.0.1:5432 {
  errno: -111,
  code: 'ECONNREFUSED',
  syscall: 'connect',
  address: '127.0.0.1',
  port: 5432
}
Node.js v20.20.2
=== ioredis without its server: Connection is closed. (Redis.js:220)
[ioredis] Unhandled error event: Error: connect ECONNREFUSED 127.0.0.1:6379
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)
/srv/node_modules/ioredis/built/Redis.js:220
                    reject(new Error(utils_1.CONNECTION_CLOSED_ERROR_MSG));
                           ^

Error: Connection is closed.
    at EventEmitter.connectionCloseHandler (/srv/node_modules/ioredis/built/Redis.js:220:28)
=== an exception: TypeError: Cannot read properties of null (reading 'x') (hooks.js:1)
/srv/hooks.js:1
null.x
     ^
TypeError: Cannot read properties of null (reading 'x')
    at Object.<anonymous> (/srv/hooks.js:1:6)
=== a system error in an ES module: ENOSPC: no space left on device, open '/data/x' (hooks.js:12)
Error: ENOSPC: no space left on device, open '/data/x'
    at file:///srv/node_modules/log/index.js:4:2
    at async write (file:///srv/src/hooks.js:12:3) {
  errno: -28,
=== an error that was logged after some words: ENOSPC: no space left on device, write (journal.cjs:14)
2026-11-28T02:25:25.746Z ERROR order not placed: Error: ENOSPC: no space left on device, write
    at OrderJournal.append (/srv/journal.cjs:14:8)
    at placeOrder (/srv/server.cjs:13:13) {
  errno: -28,
  code: 'ENOSPC',
}
=== words that are only like an error, and a stack without one: Trace: here it is
POST /orders Error: 500
Trace: here it is
    at search (/srv/server.cjs:22:21)
    at emit (/srv/lib.cjs:9:1)
=== a heap that is full: Reached heap limit - JavaScript heap out of memory
FATAL ERROR: Reached heap limit - JavaScript heap out of memory
 1: 0xb8 node::Abort()
=== the last error, not one that was logged before: TypeError: no (new.js:2)
Error: a request failed
    at old (/srv/old.js:9:1)
/srv/new.js:2
TypeError: no
    at a (/srv/node_modules/x/a.js:1:1)
    at b (/srv/new.js:2:1)
=== an error without frames: no (new.js:2)
/srv/new.js:2
x
^
Error: no
=== a fatal line: 2026-11-26 10:00:01 FATAL licence has expired
2026-11-26 10:00:01 FATAL licence has expired
closing
bye
=== fatal as a word: bye
this is not fatal
bye
=== words: bye
config: PORT is missing
  bye 
=== pino: no such table
{"level":60,"msg":"fatal","err":{"message":"no such table"}}
=== the stack of pino: TypeError: no (db.js:3)
{"level":60,"msg":"bye","err":{"message":"no","stack":"TypeError: no\\n    at a (/srv/db.js:3:1)"}}
=== a stack that has no message: DbError: no database (db.js:3)
{"level":60,"msg":"no database","err":{"stack":"DbError\\n    at a (/srv/db.js:3:1)"}}
=== a stack as a string: TypeError: no (db.js:3)
{"level":60,"msg":"bye","err":"TypeError: no\\n    at a (/srv/db.js:3:1)"}
=== winston: no license
{"level":"error","message":"no license"}
=== other JSON: {"a":1}
{"a":1}
=== half a line of JSON: {"a":
{"a":
=== bunyan: giving up
{"name":"x","level":60,"err":{},"msg":"giving up","v":0}
=== and its farewell: error: no licence
error: no licence
info: closing
=== with the time and in brackets: 2026-11-28 10:00:01 [ERROR] no licence
2026-11-28 10:00:01 [ERROR] no licence
2026-11-28 10:00:02 [INFO] closing
=== pino and its farewell: no licence
{"level":50,"msg":"no licence"}
{"level":30,"msg":"closing"}
=== winston as an object in several lines: no licence
{
  message: 'no licence',
  level: 'error',
  timestamp: '2026-11-28'
}
=== the end of a stack in an object: nothing
    '    at node:internal/main:28:49'
}
=== pino in several lines: no licence (app.js:3)
[12:00:00.000] FATAL (123): giving up
    err: {
      "type": "Error",
      "message": "no licence",
      "stack":
          Error: no licence
              at boot (/srv/app.js:3:1)
    }
=== an error of PostgreSQL, with all its properties: error: relation "orders" does not exist (db.js:4)
/srv/db.js:4
const d = query();
          ^
error: relation "orders" does not exist
    at query (/srv/db.js:4:23) {
  length: 106,
  severity: 'ERROR',
… 12 lines
  routine: 'parserOpenTable'
}
Node.js v20.20.2
=== zod: ZodError: [ { "path": [ "PORT" ], "message": "Required" } ] (env.js:1)
ZodError: [
  {
    "path": [
      "PORT"
    ],
    "message": "Required"
  }
]
    at parse (/srv/env.js:1:75)
=== an error without a stack in console.error: ENOSPC: no space left on device, write
[Error: ENOSPC: no space left on device, write] {
  errno: -28,
  code: 'ENOSPC',
}
=== the same after words: ENOSPC: no space left on device, write
cannot save Error: ENOSPC: no space left on device, write
    at Object.writeSync (node:fs:933:3) {
  errno: -28,
}
=== an AggregateError, and the first error in it: AggregateError: All promises were rejected: a failed (a.js:1)
[AggregateError: All promises were rejected] {
  [errors]: [
    Error: a failed
        at a (/srv/a.js:1:29),
    Error: b failed
        at b (/srv/b.js:1:67)
  ]
}
=== an AggregateError of a connection, which has no message of its own: AggregateError: TypeError: connect ECONNREFUSED ::1:5432 (db.js:3)
AggregateError [ECONNREFUSED]: 
    at internalConnectMultiple (node:net:1122:18)
    at dial (/srv/db.js:3:1) {
  code: 'ECONNREFUSED',
  [errors]: [
    TypeError [X]: connect ECONNREFUSED ::1:5432
        at createConnectionError (node:net:1652:14) {
      errno: -111,
    },
    Error: connect ECONNREFUSED 127.0.0.1:5432
  ]
}
=== a chain of causes: cannot start: no database: connect ECONNREFUSED 127.0.0.1:5432 (app.js:1)
Error: cannot start
    at start (/srv/app.js:1:7) {
  [cause]: Error: no database
      at connect (/srv/db.js:1:39) {
    [cause]: Error: connect ECONNREFUSED 127.0.0.1:5432
        at dial (/srv/net.js:1:70)
  }
}
=== fetch, without the frames of Node: TypeError: fetch failed: getaddrinfo ENOTFOUND db.invalid (app.js:15)
order not placed TypeError: fetch failed
    at async handler (/srv/app.js:15:3) {
  [cause]: Error: getaddrinfo ENOTFOUND db.invalid {
    errno: -3008,
    code: 'ENOTFOUND',
  }
}
=== fetch of a name with several addresses: TypeError: fetch failed: AggregateError [ECONNREFUSED] (app.js:15)
TypeError: fetch failed
    at async handler (/srv/app.js:15:3) {
  [cause]: AggregateError [ECONNREFUSED]:  {
    code: 'ECONNREFUSED',
    [errors]: [ [Error], [Error] ]
  }
}
=== a message that has the cause in it: cannot start: no database (app.js:1)
Error: cannot start: no database
    at start (/srv/app.js:1:7) {
  [cause]: Error: no database
      at connect (/srv/db.js:1:39)
}
=== a message of several lines: Invalid configuration: - PORT is missing - URL is not one (a.js:1)
Error: Invalid configuration:
  - PORT is missing
  - URL is not one
    at a (/srv/a.js:1:7)
=== a message that begins in the second line: PrismaClientInitializationError: Invalid \`prisma.user.find()\` invocation: Can't reach it (a.js:1)
PrismaClientInitializationError: 
Invalid \`prisma.user.find()\` invocation:
Can't reach it
    at a (/srv/a.js:1:7)
=== a rejection with text: unhandled rejection: no licence
UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "no licence".
    at throwUnhandledRejectionsMode (node:internal/process/promises:389:7) {
  code: 'ERR_UNHANDLED_REJECTION'
}
Node.js v20.20.2
=== an object that was thrown: { code: 7, why: 'no' }
/srv/a.js:1
throw {
^
{
  code: 7,
  why: 'no'
}
=== text that was thrown: text
/srv/a.js:1
throw 'text'
^
text
(Use \`node --trace-uncaught ...\` to show where the exception was thrown)
=== process.abort(), long after an error was logged: aborted
Error: a request failed
    at old (/srv/old.js:9:1)
GET /
----- Native stack trace -----
 1: 0xd3a3c0  [node]
----- JavaScript stack trace -----
1: /srv/app.js:1:9
2: Module._compile (node:internal/modules/cjs/loader:1521:14)
=== a shell: run.sh: line 1: serve: command not found
run.sh: line 1: serve: command not found
`;

for (const output of OUTPUTS.split('\n=== ').slice(1)) {
  const [title, ...lines] = output.trimEnd().split('\n');
  const [what, ...cause] = title.split(': ');
  t.equal(causeOf(lines) ?? 'nothing', cause.join(': '), what);
}

const at = '    at a (/srv/a.js:1:1)';
const noRate = { type: 'Error', message: 'no VAT rate for CH', stack: at.repeat(60) };
const ofPino = (err) => JSON.stringify({ level: 60, err, msg: 'x' });
/** What cannot stand there as it is. */
const rows = [
  ['nothing', [], null],
  ['an error of pino with a long stack', [ofPino(noRate)], 'no VAT rate for CH'],
  ['an endless line', ['x'.repeat(5000)], 'x'.repeat(200)],
];

for (const [what, lines, cause] of rows) t.equal(causeOf(lines), cause, what);
