/**
 * How a program of your own fares: its start, a reload under load, `kill -9` of a worker, its stop.
 * Prints what `start` said, and a row of docs/reference/compatibility.md.
 * node bench/compatibility/run.js [--path /] [--clients 10] <directory> <arguments of `start`…>
 * A free port is in PORT, and in place of {port} in the arguments.
 */
import { parseArgs } from 'node:util';
import { startLoad } from '../../test/support/http-load.js';
import { freePort } from '../../test/support/ports.js';
import { isRunning } from '../../test/support/processes.js';
import { until } from '../../test/support/until.js';
import { inHome } from '../bench-home.js';
import { printTable } from '../table.js';

/** @import { testHome } from '../../test/support/home.js' */
/** @import { Failure } from '../../test/support/http-load.js' */

/** Of a request sent so shortly after the death it is not known whether the dead worker took it. */
const IN_FLIGHT_MS = 50;
const ANSWERS = 100;
const LISTEN_MS = 15_000;

const { values, directory, startArgs } = readArguments(process.argv.slice(2));
const port = await freePort();
const row = await inHome(measure);
printTable(['mode', 'reload: made, lost', 'kill: in flight, later', 'stop', 'remark'], [row]);

/** @param {string[]} argv what follows the directory belongs to `start` */
function readArguments(argv) {
  const at = argv.findIndex(
    (arg, index) => !arg.startsWith('--') && !argv[index - 1]?.match(/^--\w+$/),
  );
  const { values } = parseArgs({
    args: argv.slice(0, at),
    options: {
      path: { type: 'string', default: '/' },
      clients: { type: 'string', default: '10' },
    },
  });
  return { values, directory: argv[at], startArgs: argv.slice(at + 1) };
}

/** @param {ReturnType<typeof testHome>} home */
async function measure({ run, list }) {
  const given = { cwd: directory, env: { PORT: String(port) } };
  const args = startArgs.map((arg) => arg.replaceAll('{port}', String(port)));
  const started = await run(['start', ...args], given);
  console.log(`${started.stderr}${started.stdout}exit code ${started.code}\n`);
  if (started.code !== 0) return ['', '', '', '', 'did not start'];
  const { mode } = (await list()).apps[0];
  const served = await until(async () => portIn(await list()), 'a port', LISTEN_MS).catch(
    () => null,
  );
  if (served === null) return [mode, '', '', await stop(run), 'listens on no port'];
  return [mode, ...(await underLoad(run, list, served)), await stop(run), ''];
}

/**
 * @param {ReturnType<typeof testHome>['run']} run
 * @param {ReturnType<typeof testHome>['list']} list
 * @param {number} served
 */
async function underLoad(run, list, served) {
  const loads = [true, false].map((keepAlive) =>
    startLoad({
      port: served,
      path: values.path,
      keepAlive,
      clients: Number(values.clients) / 2,
      anyAnswer: true,
      failuresKept: Infinity,
    }),
  );
  const answers = () => Promise.all(loads.map((load) => load.answers(ANSWERS)));
  const failures = () => loads.flatMap((load) => load.state.failures);
  await answers();
  const reloaded = await run(['reload', 'all']);
  if (reloaded.code !== 0) console.log(reloaded.stderr);
  await answers();
  const lost = failures();
  const made = loads.reduce((sum, load) => sum + load.state.made, 0);
  const { pid } = (await list()).apps[0].workers[0];
  process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(pid), 'the worker to die');
  const killedAt = Date.now();
  await until(async () => isWhole(await list(), pid), 'the killed worker to be replaced');
  await answers();
  for (const load of loads) await load.stop();
  const later = failures().slice(lost.length);
  for (const failure of [...lost, ...later].slice(0, 8))
    console.log(describeFailure(failure, killedAt));
  const inFlight = later.filter(({ askedAt }) => askedAt <= killedAt + IN_FLIGHT_MS).length;
  return [`${made}, ${lost.length}`, `${inFlight}, ${later.length - inFlight}`];
}

/** @param {any} listed @param {number} killed */
function isWhole({ apps: [{ workers }] }, killed) {
  return workers.every(
    (/** @type {any} */ { pid, status }) => status === 'online' && pid !== killed,
  );
}

/** @param {Failure} failure @param {number} killedAt */
function describeFailure({ code, message, reused, askedAt }, killedAt) {
  return `${code} ${message.slice(0, 60)}, asked ${askedAt - killedAt} ms after the death${reused ? ', reused connection' : ''}`;
}

/** @param {any} listed @returns {number} NaN: it listens on no port */
function portIn({ apps: [{ workers }] }) {
  const addresses = workers.flatMap((/** @type {any} */ { listening }) =>
    listening.map((/** @type {{address: string}} */ { address }) => address),
  );
  return addresses.map((/** @type {string} */ one) =>
    Number(one.slice(one.lastIndexOf(':') + 1)),
  )[0];
}

/** @param {ReturnType<typeof testHome>['run']} run */
async function stop(run) {
  const begin = performance.now();
  await run(['stop', 'all']);
  return `${((performance.now() - begin) / 1000).toFixed(1)} s`;
}
