/**
 * `kill -9` of the daemon under load: the workers before and after, and the requests that failed.
 * node bench/kills/daemon.js [--node <binary>]…
 */
import { startLoad } from '../../test/support/http-load.js';
import { benchArguments } from '../arguments.js';
import { inHome, versionOf } from '../bench-home.js';
import { printTable } from '../table.js';

const { nodes } = benchArguments();
const rows = [];
for (const node of nodes) rows.push(await measure(node));
printTable(['Node', 'pids before', 'pids after', 'made', 'failed'], rows);

/** @param {string} node @returns {Promise<(string|number)[]>} */
function measure(node) {
  return inHome(async ({ ok, list, pidsOf, startApi }) => {
    const port = await startApi(['-i', '2'], { node });
    const before = await pidsOf('api');
    const { daemon } = await list();
    const load = startLoad({ port, clients: 20, thinkMs: 0 });
    await load.answers(500);
    process.kill(daemon.pid, 'SIGKILL');
    await load.answers(5_000);
    await ok(['ls'], { node });
    const after = await pidsOf('api');
    const { made, failed } = await load.stop();
    return [versionOf(node), before.join(' '), after.join(' '), made, failed];
  });
}
