/** A primary without a daemon: started as a daemon would start it, and driven over its socket. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../../src/protocol/client.js';
import { ensureHome } from '../../src/shared/home.js';
import { NODE, app } from '../support/home.js';
import { loggedText } from '../support/log-messages.js';
import { freePort } from '../support/ports.js';
import { plainEnv, spawnClean } from '../support/spawn-clean.js';
import { specWith } from '../support/spec.js';
import { eventOf, until, within } from '../support/until.js';
import { worded } from '../support/worded.js';

/** Of an app that runs for the first time. */
export const FRESH = {
  stoppedSlots: [],
  listeningRecord: null,
  isSecond: false,
  previous: null,
};
/** Of a spec. */
export const FORK = { execMode: 'fork', interpreter: NODE };
export const MODES = { cluster: { execMode: 'cluster' }, fork: FORK };
const MAIN = fileURLToPath(new URL('../../src/primary/main.js', import.meta.url));

export async function specOf(script, { env = {}, ...change } = {}) {
  const PORT = String(await freePort());
  return specWith({
    name: 'app',
    script: script.startsWith('/') ? script : app(script),
    env: { PORT, ...env },
    minUptimeMs: 300,
    maxRestarts: 3,
    expBackoffRestartDelayMs: 20,
    maxRestartDelayMs: 100,
    killTimeoutMs: 20_000,
    drainTimeoutMs: 20_000,
    holdTimeoutMs: 20_000,
    listenTimeoutMs: 20_000,
    ...change,
  });
}

/**
 * The process alone, without an app.
 * @param launch of what src/primary/main.js is told
 * @param starter the descriptor of a pipe on which it says that it listens
 */
export function spawnPrimary(t, launch, stdio, starter) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nc-')));
  const paths = ensureHome(join(root, 'home'));
  const place = paths.primary(1);
  mkdirSync(place.dir, { mode: 0o700 });
  // In place of a daemon, a program that ends at once: these tests are about the primary alone.
  const daemon = { execPath: '/bin/true', script: '-' };
  const whole = { id: 1, home: paths.home, mode: 'cluster', most: 1, daemon, ...launch };
  const args = [MAIN, JSON.stringify(whole), ...(starter ? [JSON.stringify({ starter })] : [])];
  const child = spawnClean(NODE, args, { env: plainEnv(), stdio });
  const ended = eventOf(child, 'exit', 240_000);
  t.teardown(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  return { paths, place, child, ended };
}

/** @param stderr a descriptor for the primary's own log @param previous workers of one that was killed */
export async function startPrimary(t, spec, stderr = 'pipe', previous = null) {
  const slots = Array.from({ length: spec.instances + (spec.spares ?? 0) }, (_, slot) => slot);
  // Not tap's own output, for which tap would wait if this file crashed.
  const stdio = ['ignore', 'ignore', stderr];
  const { paths, place, child, ended } = spawnPrimary(t, { mode: spec.execMode }, stdio);
  child.stderr?.pipe(process.stderr);
  const client = await until(
    () => connect(place.socket, { hello: { role: 'daemon', version: '0' }, timeoutMs: 30_000 }),
    'the primary to answer',
  );
  /** Since the first `state` or `when`. */
  const events = [];
  client.on('notification', (method, event) => method === 'event' && events.push(worded(event)));
  const ask = async (method, params = {}, seen = () => {}) => {
    const whole = { ...params, app: spec.name };
    const onNotification = (_name, progress) => seen(worded(progress));
    return worded(await client.request(method, whole, { onNotification }));
  };
  await client.request('host', { spec, generation: 1, slots, sockets: 0, ...FRESH, previous });
  const state = () =>
    within(
      firstState(client, (current) => current),
      'its state',
    );
  const when = (look, what) => within(firstState(client, look), what);
  const whenSlot = (isIt, what) => when(({ slots: [slot] }) => isIt(slot) && slot, what);
  t.teardown(async () => {
    const isUp = child.exitCode === null && child.signalCode === null;
    if (isUp) await ask('shutdown').catch(() => child.kill('SIGKILL'));
    client.close();
    await ended;
  });
  return {
    spec,
    child,
    ended,
    port: Number(spec.env.PORT),
    paths,
    events,
    ask,
    configure: (changed) => ask('scale', { slots, spec: changed }),
    state,
    slot: async () => (await state()).slots[0],
    pids: async () => (await state()).slots.map(({ pid }) => pid),
    /** @param look asked of each state, until its answer is truthy */
    when,
    whenSlot,
    successor: (pid) =>
      whenSlot((slot) => slot.status === 'online' && slot.pid !== pid, 'another worker'),
    log: async (stream) => loggedText(paths.logFile(spec.name, stream)),
    wrote: (text, stream = 'out') =>
      until(() => loggedText(paths.logFile(spec.name, stream)) === text, `${stream}: ${text}`),
  };
}

/** The same after its first start, with the outcome of that. */
export async function startedPrimary(t, script, change) {
  const primary = await startPrimary(t, await specOf(script, change));
  return { ...primary, outcome: await primary.ask('start') };
}

function firstState(client, look) {
  return new Promise((resolve, reject) => {
    const onState = (state) => {
      const answer = look(worded(state));
      if (!answer) return;
      client.off('notification', onNotification);
      resolve(answer);
    };
    const onNotification = (method, state) => method === 'state' && onState(state);
    client.on('notification', onNotification);
    client.request('subscribe', {}, { onNotification }).then(() => {}, reject);
  });
}
