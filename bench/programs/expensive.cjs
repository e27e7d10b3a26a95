// Tables B and E: routes that keep the processor busy, one that answers at once, one that blocks without it.
const http = require('node:http');
const { threadId } = require('node:worker_threads');

const STEPS = { '/slow': 1e9 };
const worker = `${process.pid}-${threadId}`;

http
  .createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    if (pathname === '/block') block(Number(searchParams.get('ms')));
    else loop(STEPS[pathname] ?? 0);
    response.end(worker);
  })
  .listen(Number(process.env.PORT));

function loop(steps) {
  let count = 0;
  for (let i = 0; i < steps; i++) count += i;
  return count;
}

function block(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
