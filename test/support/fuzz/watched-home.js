/** A home whose daemon and primary report their memory after a garbage collection. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../../../src/protocol/client.js';
import { homePaths } from '../../../src/shared/home.js';
import { NODE, inHome } from '../home.js';
import { freePort } from '../ports.js';
import { descriptorsOf } from '../processes.js';
import { spawnClean } from '../spawn-clean.js';
import { specWith } from '../spec.js';
import { until } from '../until.js';

const DAEMON = fileURLToPath(new URL('../../../src/daemon/main.js', import.meta.url));
const HOOK = fileURLToPath(new URL('./report-memory.cjs', import.meta.url));
const HELLO = { role: 'bench', version: '0' };

/**
 * @typedef {object} Size of a process
 * @property {number} rssMb
 * @property {number} heapMb in use after a garbage collection
 * @property {number} descriptors
 */

/**
 * @typedef {object} WatchedHome with the app `web`, whose reloads take no longer than they must
 * @property {string} home
 * @property {number} port of the app
 * @property {() => Promise<any>} dial a connection to the daemon
 * @property {(method: string, params?: object) => Promise<any>} ask on a connection of its own
 * @property {() => Promise<{daemon: Size, primary: Size}>} sizes
 */

/**
 * @template T
 * @param {(home: WatchedHome) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export function inWatchedHome(measure) {
  return inHome(async ({ root, home, env }) => {
    const { daemonSocket } = homePaths(home);
    const args = ['--expose-gc', '--require', HOOK];
    spawnClean(NODE, [...args, DAEMON, home], { cwd: root, env, stdio: 'ignore' });
    const dial = () => connect(daemonSocket, { hello: HELLO });
    await until(async () => (await dial()).close() ?? true, 'the daemon to answer');
    /** @type {WatchedHome['ask']} */
    const ask = async (method, params = {}) => {
      const client = await dial();
      return client.request(method, params).finally(() => client.close());
    };
    const interpreter = path.join(root, 'node-that-reports');
    writeFileSync(interpreter, `#!/bin/sh\nexec ${NODE} ${args.join(' ')} "$@"\n`);
    chmodSync(interpreter, 0o755);
    const port = await freePort();
    const spec = { interpreter, instances: 1, minUptimeMs: 0, env: { PORT: String(port) } };
    const { apps } = await ask('start', { specs: [specWith(spec)] });
    if (!apps[0].ok) throw new Error(JSON.stringify(apps[0]));
    const { pid: daemonPid } = await ask('ping');
    const { primaryPid } = (await ask('list')).apps[0];
    const sizes = async () => ({
      daemon: await sizeOf(home, daemonPid),
      primary: await sizeOf(home, primaryPid),
    });
    return measure({ home, port, dial, ask, sizes });
  });
}

/** @param {string} home @param {number} pid @returns {Promise<Size>} */
async function sizeOf(home, pid) {
  const file = path.join(home, `memory-${pid}.json`);
  process.kill(pid, 'SIGUSR1');
  const usage = await until(() => JSON.parse(readFileSync(file, 'utf8')), `${pid} to report`);
  rmSync(file);
  const [rssMb, heapMb] = [usage.rss, usage.heapUsed].map((bytes) => bytes / 2 ** 20);
  return { rssMb, heapMb, descriptors: descriptorsOf(pid).length };
}
