/**
 * `nodecluster prove` with a program of your own, and the same traffic and faults under PM2.
 * node bench/compatibility/prove.js --script <file> [--cwd <directory>] [--args 'start -p {port}'] [--path /]
 *   [--node <binary>]… [--scheduling fair] [--instances 2] [--rate 40] [--pm2 <bin of PM2>]
 * A free port is in PORT, and in place of {port}. PM2's primary is its daemon, so it has one fault less.
 */
import { dirname, resolve } from 'node:path';
import { measureBefore, measureFault, ask } from '../../src/clients/prove/measure.js';
import { placeFor } from '../../src/clients/prove/place.js';
import { lostBeyond } from '../../src/clients/prove/verdict.js';
import { freePort } from '../../test/support/ports.js';
import { isRunning } from '../../test/support/processes.js';
import { until } from '../../test/support/until.js';
import { benchArguments } from '../arguments.js';
import { versionOf } from '../bench-home.js';
import { inNodecluster } from '../faults/supervisors/nodecluster.js';
import { inPm2 } from '../faults/supervisors/pm2.js';
import { startApps } from '../faults/supervisors/supervisor.js';
import { printTable } from '../table.js';

/**
 * @import { Loss, Event } from '../../src/clients/prove/verdict.js'
 * @import { Place } from '../../src/clients/prove/place.js'
 * @import { Supervisor } from '../faults/supervisors/supervisor.js'
 */

/** PM2 starts nothing again after its daemon was killed; a command would. */
const PM2_WHOLE_MS = 15_000;

/** @type {Record<string, (supervisor: Supervisor) => Promise<Loss | null>>} */
const PM2_CAUSES = {
  async reload({ run }) {
    await run(['reload', 'api']);
    return null;
  },
  async worker({ workers }) {
    const [{ pid }] = await workers('api');
    return { kind: 'worker', exitedAt: await killed(pid) };
  },
  async daemon({ primaryOf }) {
    return { kind: 'primary', exitedAt: await killed(await primaryOf('api')) };
  },
};

const { nodes, numbers, strings } = benchArguments(
  { instances: 2, rate: 40 },
  { script: '', cwd: '', args: '', path: '/', scheduling: 'fair', pm2: '' },
);
const heads = ['Node', 'supervisor', 'event', 'requests', 'lost', 'in flight', 'beyond'];
const rows = [];
for (const node of nodes) {
  rows.push(...(await inNodecluster({ node }, (supervisor) => prove(supervisor, node))));
  const { scheduling, pm2: bin } = strings;
  if (!bin) continue;
  rows.push(...(await inPm2({ node, scheduling, bin }, (supervisor) => prove(supervisor, node))));
}
printTable([...heads, 'why', 'longest wait, ms', 'whole after, s'], rows);

/** @param {Supervisor} supervisor @param {string} node @returns {Promise<(string|number)[][]>} */
async function prove(supervisor, node) {
  const port = await freePort();
  const script = resolve(strings.script);
  const args = strings.args.replaceAll('{port}', String(port));
  const app = { name: 'api', script, env: { PORT: port }, instances: numbers.instances };
  const more = { cwd: resolve(strings.cwd || dirname(script)), ...(args && { args }) };
  await startApps(supervisor, strings.scheduling, [{ ...more, ...app }]);
  const url = `http://127.0.0.1:${port}${strings.path}`;
  const place = placeFor({ name: 'api', workers: [] }, { url });
  await until(async () => (await ask(place)).status === 200, 'an answer');
  const events = await (supervisor.name === 'PM2'
    ? proveInPm2(supervisor, place)
    : proveHere(supervisor, url));
  return events.map((each) => [versionOf(node), supervisor.name, ...cellsOf(each)]);
}

/** @param {Supervisor} supervisor @param {string} url @returns {Promise<Event[]>} */
async function proveHere({ run }, url) {
  const order = ['prove', 'api', '--yes', '--json', '--url', url, '--rate', String(numbers.rate)];
  const { stdout, stderr } = await run(order);
  console.error(stderr);
  return JSON.parse(stdout).events;
}

/** @param {Supervisor} supervisor @param {Place} place @returns {Promise<Event[]>} */
async function proveInPm2(supervisor, place) {
  const { event: before, known } = await measureBefore(place, numbers.rate);
  const conditions = { perSecond: numbers.rate, known, wholeWithinMs: PM2_WHOLE_MS };
  const events = [before];
  for (const [event, cause] of Object.entries(PM2_CAUSES)) {
    const isWhole = event === 'daemon' ? () => answers(place) : () => areOnline(supervisor);
    const fault = { event, cause: () => cause(supervisor), isWhole };
    events.push(await measureFault(place, fault, conditions));
  }
  return events;
}

/** @param {number} pid @returns {Promise<number>} when it has exited */
async function killed(pid) {
  process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(pid), `${pid} to exit`);
  return Date.now();
}

/** @param {Place} place */
async function answers(place) {
  return (await ask(place)).status === 200;
}

/** @param {Supervisor} supervisor */
async function areOnline({ workers }) {
  const online = (await workers('api')).filter(
    ({ pid, status }) => status === 'online' && isRunning(pid),
  );
  return online.length >= numbers.instances;
}

/** @param {Event} event */
function cellsOf(event) {
  const { requests, lost, inFlight, reasons, longestWaitMs, wholeMs, trouble } = event;
  const why = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`);
  const whole = trouble === null ? (wholeMs / 1000).toFixed(1) : 'never';
  const beyond = lostBeyond(event);
  const counts = [requests, lost, inFlight, beyond, why.join(', ')];
  return [event.event, ...counts, longestWaitMs, event.event === 'before' ? '' : whole];
}
