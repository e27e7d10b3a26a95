/** HAProxy with the file of the guide on several machines, and what it knows of the servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { blockOf } from './pages.js';
import { until } from './until.js';

/**
 * @typedef {object} Places
 * @property {string} listen where clients connect: `127.0.0.1:8000`
 * @property {readonly string[]} servers `10.0.0.11:3000`
 * @property {number} probePort of each server
 */

/** @param {string} root an empty directory @param {Places} places */
export async function startBalancer(root, places) {
  const [file, socket] = [`${root}/haproxy.cfg`, `${root}/haproxy.sock`];
  writeFileSync(file, configOfPage(socket, places));
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

/** What a reader of the page changes is changed. @param {string} socket @param {Places} places */
function configOfPage(socket, { listen, servers, probePort }) {
  const lines = servers.map((address, index) => `    server machine${index + 1} ${address}\n`);
  return blockOf('guides/several-machines.md', 'haproxy')
    .replace('global\n', `global\n    stats socket ${socket} level admin\n`)
    .replace('bind :80', `bind ${listen}`)
    .replace('check port 9464', `check port ${probePort}`)
    .replace(/( +server machine.*\n)+/, lines.join(''));
}

/** @param {string} socket @param {string} command @returns {Promise<string>} */
export async function askBalancer(socket, command) {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

/** @param {string} csv @returns {Record<string, {status: string, current: number, total: number, check: string}>} by name */
function readServers(csv) {
  const [head, ...lines] = csv.replace(/^# /, '').trim().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  });
  const servers = rows.filter(({ type }) => type === '2');
  return Object.fromEntries(
    servers.map(({ svname, status, scur, stot, check_status: check }) => [
      svname,
      { status, current: Number(scur), total: Number(stot), check },
    ]),
  );
}
