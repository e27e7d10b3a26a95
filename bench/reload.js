/**
 * Requests lost in reloads under load.
 * node bench/reload.js [--node <binary>]… [--reloads 20] [--clients 20]
 */
import { app } from '../test/support/home.js';
import { startLoad } from '../test/support/http-load.js';
import { freePort } from '../test/support/ports.js';
import { benchArguments } from './arguments.js';
import { inHome, versionOf } from './bench-home.js';
import { printTable } from './table.js';

const { nodes, numbers } = benchArguments({ reloads: 20, clients: 20 });
const rows = [];
for (const node of nodes) {
  for (const scheduling of ['round-robin', 'shared']) {
    for (const program of ['http-pid.cjs', 'slow-20ms.mjs']) {
      for (const keepAlive of [true, false]) {
        rows.push(await measure({ node, scheduling, program, keepAlive }));
      }
    }
  }
}
printTable(['Node', 'scheduling', 'request', 'connections', 'reloads', 'made', 'failed'], rows);

/**
 * @param {{node: string, scheduling: string, program: string, keepAlive: boolean}} given
 * @returns {Promise<(string|number)[]>}
 */
function measure({ node, scheduling, program, keepAlive }) {
  return inHome(async ({ ok }) => {
    const port = await freePort();
    const start = ['start', app(program), '-i', '2', '--name', 'api', '--scheduling', scheduling];
    await ok(start, { node, env: { PORT: String(port) } });
    const load = startLoad({ port, keepAlive, clients: numbers.clients, thinkMs: 0 });
    await load.answers(100);
    for (let reload = 0; reload < numbers.reloads; reload++) await ok(['reload', 'api'], { node });
    const { made, failed, failures } = await load.stop();
    for (const failure of failures.slice(0, 5)) console.error(failure);
    const request = program.startsWith('slow') ? '20 ms' : '0 ms';
    const connections = keepAlive ? 'keep-alive' : 'one a request';
    return [versionOf(node), scheduling, request, connections, numbers.reloads, made, failed];
  });
}
