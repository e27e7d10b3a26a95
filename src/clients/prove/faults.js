/** Which app `prove` is about, and what can be done to it. */
import { createInterface } from 'node:readline';
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { escapeLine } from '../../show/escape.js';
import { reasonWithCause } from '../../show/reason.js';
import { poll } from '../../shared/deadline.js';
import { identify, isAlive } from '../../shared/processes/identity.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Context } from '../../cli/context.js'
 * @import { Fault, Place } from './measure.js'
 * @import { Loss } from './verdict.js'
 */

/** One that is online. @param {Context} context @param {DaemonClient} client */
export async function chooseApp(context, client) {
  const { words } = context;
  const selectors = words.length > 0 ? await selectorsFor(context, client, words) : undefined;
  const { apps } = await client.request('list', { selectors });
  const found = selectors ? apps : apps.filter(({ status }) => status !== 'stopped');
  if (found.length !== 1) {
    const names = found.map(({ name }) => name).join(', ');
    const several = `Could not choose between ${names}: prove takes one app at a time`;
    throw usageError('prove', names ? several : 'Nothing to prove: no app is running');
  }
  const [app] = found;
  const { name, status, busy } = app;
  if (status === 'online' && !busy) return app;
  throw new NodeclusterError('E_PROVE_DOWN', { app: name, status, busy });
}

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {App} app
 * @returns {Promise<FaultName[]>} in the order in which they are caused
 */
export async function chooseFaults({ options, note }, client, app) {
  const { isForeground = false } = await client.request('ping', {});
  /** @type {Partial<Record<FaultName, string | false>>} */
  const refused = {
    primary: app.mode === 'fork' && 'apps in fork mode share it',
    daemon: isForeground && 'it is the process of `nodecluster run`',
  };
  /** @type {readonly FaultName[]} */
  const chosen = options.only ?? FAULTS.filter((name) => !refused[name]);
  const event = chosen.find((name) => refused[name]);
  if (event) throw usageError('prove', `The ${event} cannot be killed: ${refused[event]}`);
  if (app.mode === 'fork') {
    note(
      `${escapeLine(app.name)} runs in fork mode: the next worker listens only when the one before ` +
        'it has exited, and requests in between are lost.',
    );
  }
  if (chosen.includes('primary')) {
    const { apps } = await client.request('list', {});
    const isOther = (/** @type {App} */ { name, primaryPid }) =>
      name !== app.name && primaryPid === app.primaryPid;
    const names = apps.filter(isOther).map(({ name }) => escapeLine(name));
    const shared = `${escapeLine(app.name)} shares its primary with ${names.join(', ')}`;
    if (names.length > 0) note(`${shared}: their workers start again too.`);
  }
  return FAULTS.filter((name) => chosen.includes(name));
}

/**
 * @param {Context} context
 * @param {App} app
 * @param {Place} place
 * @param {readonly FaultName[]} names
 * @returns {Promise<boolean>} whether the user typed y or yes; not if the input ended
 */
export async function askFirst({ options, tty }, { name }, place, names) {
  if (options.yes) return true;
  if (tty === null || options.json) {
    throw usageError('prove', 'prove asks first; without a terminal, or with --json, add --yes');
  }
  const steps = names.map((each) => STEPS[each]).join(', ');
  const { input, output } = tty;
  output.write(`${escapeLine(name)}: ${steps}, with requests to ${place.text}. Continue? [y/N] `);
  // Without the terminal's raw mode, Ctrl-C still ends the command.
  for await (const line of createInterface({ input, terminal: false })) {
    return /^y(es)?$/i.test(line.trim());
  }
  return false;
}

/** @typedef {'reload' | 'worker' | 'primary' | 'daemon'} FaultName */

/** The faults that `prove` causes in an app. @type {readonly FaultName[]} */
export const FAULTS = ['reload', 'worker', 'primary', 'daemon'];

/** @type {Record<FaultName, string>} */
export const STEPS = {
  reload: 'reloading it with the code that is on disk now',
  worker: 'killing a worker',
  primary: 'killing its primary',
  daemon: 'killing the daemon',
};

/** What is expected of a process after SIGKILL. */
const EXIT_MS = 10_000;
const EXIT_POLL_MS = 2;

/** @param {Pick<Context, 'daemons'>} context @param {Pick<App, 'name' | 'spares'>} app @param {FaultName} name @returns {Fault} */
export function faultOf({ daemons }, { name: app, spares }, name) {
  /** @type {number[]} */
  const killed = [];
  let online = 0;
  const kill = async (/** @type {number} */ pid, /** @type {() => unknown} */ how) => {
    killed.push(pid);
    const victim = identify(pid);
    await how();
    if (victim) await poll(() => !isAlive(victim), { timeoutMs: EXIT_MS, everyMs: EXIT_POLL_MS });
    return Date.now();
  };
  const cause = async () => {
    const client = await daemons.find();
    if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
    const state = await stateOf(client, app);
    online = onlineOf(state.app).length;
    return CAUSES[name]({ client, ...state }, kill);
  };
  const isWhole = async () => {
    const client = await daemons.find().catch(() => null);
    const state = client && (await stateOf(client, app).catch(() => null));
    if (!state) return false;
    const { primaryPid, busy, workers } = state.app;
    const pids = [state.daemon.pid, primaryPid, ...workers.map(({ pid }) => pid)];
    const isBack = onlineOf(state.app).length >= online && primaryPid !== undefined && !busy;
    return isBack && !pids.some((pid) => pid !== undefined && killed.includes(pid));
  };
  const isWithSpare = name === 'worker' && spares?.ready.length;
  return { event: isWithSpare ? 'worker killed, with a spare' : name, cause, isWhole };
}

/**
 * @typedef {{client: DaemonClient, daemon: {pid: number}, app: App}} State
 * @typedef {(pid: number, how: () => unknown) => Promise<number>} Kill resolves to the time of its exit
 */

/** @type {Record<FaultName, (state: State, kill: Kill) => Promise<Loss | null>>} */
const CAUSES = {
  async reload({ client, app: { name } }) {
    const { apps } = await client.request('reload', { selectors: [name] });
    const failed = apps.find(({ ok }) => !ok);
    if (failed) throw new Error(`the reload failed: ${reasonWithCause(failed.failed[0] ?? {})}`);
    return null;
  },
  async worker({ client, app }, kill) {
    const [{ slot, pid }] = onlineOf(app);
    const order = { selectors: [`${app.name}:${slot}`], signal: 'SIGKILL' };
    const exitedAt = await kill(Number(pid), () => client.request('signal', order));
    return { kind: 'worker', exitedAt };
  },
  async primary({ app: { primaryPid: pid } }, kill) {
    const exitedAt = await kill(Number(pid), () => process.kill(Number(pid), 'SIGKILL'));
    return { kind: 'primary', exitedAt };
  },
  async daemon({ daemon: { pid } }, kill) {
    const exitedAt = await kill(pid, () => process.kill(pid, 'SIGKILL'));
    return { kind: 'other', exitedAt };
  },
};

/** @param {DaemonClient} client @param {string} name */
async function stateOf(client, name) {
  const { daemon, apps } = await client.request('list', {});
  const app = apps.find((each) => each.name === name);
  if (app) return { daemon, app };
  throw new NodeclusterError('E_APP_DELETED', { app: name });
}

/** @param {App} app */
function onlineOf({ workers }) {
  return workers.filter(({ status, isReady }) => status === 'online' && isReady);
}
