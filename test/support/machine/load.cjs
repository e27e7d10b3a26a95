/**
 * Twenty clients, and what became of their requests.
 * node load.cjs <ms> [connect]: with `connect`, each request has a connection of its own
 */
const http = require('node:http');

const [ms, mode] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: mode !== 'connect' });
const count = { ok: 0, failed: 0, refused: 0, errors: {}, worstMs: 0 };
const end = performance.now() + Number(ms);

function ask() {
  const begin = performance.now();
  if (begin > end) return;
  const answered = () => {
    count.ok++;
    count.worstMs = Math.max(count.worstMs, Math.round(performance.now() - begin));
    ask();
  };
  http
    .get({ port: 21010, agent }, (response) => response.resume().on('end', answered))
    .on('error', (error) => {
      const { code = '' } = error;
      count.failed++;
      if (code === 'ECONNREFUSED') count.refused++;
      count.errors[code] = (count.errors[code] ?? 0) + 1;
      setTimeout(ask, 5);
    });
}

for (let client = 0; client < 20; client++) ask();
process.on('exit', () => console.log(JSON.stringify(count)));
setTimeout(() => process.exit(), Number(ms) + 2000);
