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

/** Of an app that runs for the first time. */
export const FRESH = {
  stoppedSlots: [],
  listeningRecord: null,
  createdAt: null,
  isSecond: false,
  previous: null,
};
const MAIN = fileURLToPath(new URL('../../src/primary/main.js', import.meta.url));

/**
 * @param script a program of the zoo
 * @param change of the spec
 */
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

/** @param stderr a descriptor for the primary's own log */
export async function startPrimary(t, spec, stderr = 'pipe') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nc-')));
  const home = join(root, 'home');
  const paths = ensureHome(home);
  const place = paths.primary(1);
  mkdirSync(place.dir, { mode: 0o700 });
  const slots = Array.from({ length: spec.instances }, (_, slot) => slot);
  // In place of a daemon, a program that ends at once: these tests are about the primary alone.
  const daemon = { execPath: '/bin/true', script: '-', isManaged: false };
  const launch = { id: 1, home, mode: spec.execMode, most: 1, daemon };
  const child = spawnClean(NODE, [MAIN, JSON.stringify(launch)], {
    env: plainEnv(),
    // Not tap's own, which would wait for it if this file crashed.
    stdio: ['ignore', 'ignore', stderr],
  });
  child.stderr?.pipe(process.stderr);
  const ended = eventOf(child, 'exit', 120_000);
  const client = await until(
    () => connect(place.socket, { hello: { role: 'daemon', version: '0' }, timeoutMs: 30_000 }),
    'the primary to answer',
  );
  /** Since the first `state` or `when`. */
  const events = [];
  client.on('notification', (method, event) => method === 'event' && events.push(event));
  const ask = (method, params = {}, seen = () => {}) =>
    client.request(
      method,
      { ...params, app: spec.name },
      { onNotification: (_name, progress) => seen(progress) },
    );
  await client.request('host', { spec, generation: 1, slots, sockets: 0, ...FRESH });
  t.teardown(async () => {
    const isUp = child.exitCode === null && child.signalCode === null;
    if (isUp) await ask('shutdown').catch(() => child.kill('SIGKILL'));
    client.close();
    await ended;
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    spec,
    child,
    ended,
    port: Number(spec.env.PORT),
    paths,
    events,
    ask,
    state: () =>
      within(
        firstState(client, (state) => state),
        'its state',
      ),
    /** @param look asked of each state, until its answer is truthy */
    when: (look, what) => within(firstState(client, look), what),
    /** @returns what the workers wrote */
    log: async (stream) => loggedText(paths.logFile(spec.name, stream)),
  };
}

/**
 * The same after its first start, with the outcome of that.
 * @param change of the spec
 */
export async function startedPrimary(t, script, change) {
  const primary = await startPrimary(t, await specOf(script, change));
  return { ...primary, outcome: await primary.ask('start') };
}

/** @returns its first truthy answer */
function firstState(client, look) {
  return new Promise((resolve, reject) => {
    const onState = (state) => {
      const answer = look(state);
      if (!answer) return;
      client.off('notification', onNotification);
      resolve(answer);
    };
    const onNotification = (method, state) => method === 'state' && onState(state);
    client.on('notification', onNotification);
    client.request('subscribe', {}, { onNotification }).then(() => {}, reject);
  });
}
