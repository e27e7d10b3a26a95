/** HAProxy with the backend that `nodecluster export haproxy` writes, and what it knows of the servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../../test/support/until.js';

/**
 * @param {string} root an empty directory
 * @param {{backend: string, host: string, port: number}} options backend: as exported
 */
export async function startBalancer(root, { backend, host, port }) {
  const [file, socket] = [`${root}/haproxy.cfg`, `${root}/haproxy.sock`];
  writeFileSync(file, `${headOf(socket, host, port)}${backend}`);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (said += chunk));
  const servers = async () => readServers(await askBalancer(socket, 'show stat'));
  await until(() => servers().catch(() => null), 'HAProxy to answer').catch((error) => {
    throw new Error(`${error.message}\n${said}`);
  });
  return {
    servers,
    log: () => said,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

/** @param {string} socket @param {string} host @param {number} port */
function headOf(socket, host, port) {
  return `global
    stats socket ${socket} level admin
defaults
    mode http
    timeout client 30s
frontend web
    bind ${host}:${port}
    default_backend shop
`;
}

/** @param {string} socket @param {string} command @returns {Promise<string>} */
export async function askBalancer(socket, command) {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

/** @param {string} csv @returns {Record<string, {status: string, weight: number, current: number, total: number, agent: string}>} by name */
function readServers(csv) {
  const [head, ...lines] = csv.replace(/^# /, '').trim().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  });
  const servers = rows.filter(({ type }) => type === '2');
  return Object.fromEntries(
    servers.map(({ svname, status, weight, scur, stot, agent_status: agent }) => [
      svname,
      {
        status,
        weight: Number(weight),
        current: Number(scur),
        total: Number(stot),
        agent,
      },
    ]),
  );
}
