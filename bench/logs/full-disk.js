/** An app whose log is on a disk that is full for a while. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { app } from '../../test/support/home.js';
import { answerOf } from '../../test/support/http-ask.js';
import { freePort } from '../../test/support/ports.js';
import { until } from '../../test/support/until.js';
import { inHome } from '../bench-home.js';
import { eachLine } from './read-back.js';

const LINE_BYTES = 2000;
const AT_ONCE = 16;

/**
 * @param {{requests: number}} load
 * @returns {Promise<{requests: number, failed: number, written: number, found: number,
 *   declared: number, note: string} | string>} or the reason why nothing was measured
 */
export async function fullDisk({ requests }) {
  const directory = mkdtempSync(path.join(tmpdir(), 'full-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', directory], {
      stdio: 'ignore',
    });
  } catch {
    rmdirSync(directory);
    return 'it mounts a tmpfs, and that is not permitted here';
  }
  try {
    return await inHome((home) => measure(home, directory, requests));
  } finally {
    execFileSync('umount', ['--lazy', directory]);
    rmdirSync(directory);
  }
}

/**
 * @param {Parameters<Parameters<typeof inHome>[0]>[0]} home
 * @param {string} directory
 * @param {number} requests
 */
async function measure({ ok, appNamed }, directory, requests) {
  const log = path.join(directory, 'out.log');
  const ballast = path.join(directory, 'ballast');
  const port = await freePort();
  writeFileSync(ballast, Buffer.alloc(4 * 1024 * 1024));
  const start = ['start', app('logs-each-request.cjs'), '--name', 'api', '--output', log];
  await ok([...start, '--log-type', 'raw'], {
    env: { PORT: String(port), LINE_BYTES: String(LINE_BYTES) },
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const first = await load(port, agent, requests);
  const { note = '' } = await until(
    async () => /** @type {any} */ ((await appNamed('api')).note ? await appNamed('api') : null),
    'the loss in ls',
  );
  rmSync(ballast);
  const second = await load(port, agent, 10);
  agent.destroy();
  await ok(['kill']);
  const sums = { found: 0, declared: 0 };
  await eachLine(log, (line) => {
    const lost = /^\[nodecluster\] (\d+) bytes of log were lost here/.exec(line)?.[1];
    if (lost) sums.declared += Number(lost);
    else sums.found += line.length + (line.length === LINE_BYTES - 1 ? 1 : 0);
  });
  const written = Math.max(first.bytes, second.bytes);
  return { requests: requests + 10, failed: first.failed + second.failed, written, ...sums, note };
}

/**
 * @param {number} port
 * @param {http.Agent} agent
 * @param {number} requests
 */
async function load(port, agent, requests) {
  const sums = { failed: 0, bytes: 0 };
  let left = requests;
  const one = async () => {
    while (left-- > 0) {
      await answerOf({ port, agent }).then(
        ({ body }) => (sums.bytes = Math.max(sums.bytes, JSON.parse(body).bytes)),
        () => (sums.failed += 1),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return sums;
}
