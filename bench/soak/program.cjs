// Answers with its pid, and writes LINES_PER_SECOND numbered lines. When it exits, it records in the
// file NOTES how many it wrote.
const fs = require('node:fs');
const http = require('node:http');

const TURN_MS = 20;
const FILL = 'x'.repeat(80);
const worker = `${process.pid}-${Date.now()}`;
const perMs = Number(process.env.LINES_PER_SECOND) / 1000;
const begun = performance.now();
let lines = 0;

setInterval(() => {
  const due = Math.floor((performance.now() - begun) * perMs);
  while (lines < due) process.stdout.write(`${worker} ${lines++} ${FILL}\n`);
}, TURN_MS);

const server = http.createServer((request, response) => {
  response.setHeader('x-request-id', String(request.headers['x-request-id']));
  response.end(JSON.stringify({ pid: process.pid }));
});
server.listen(Number(process.env.PORT));

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => server.close(() => process.exit(0)));
}
process.on('exit', () => fs.appendFileSync(String(process.env.NOTES), `${worker} ${lines}\n`));
