/** Reloads lose nothing: of HTTP/1.1, HTTP/2, TCP and upgraded connections, with each policy, and with another primary. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { NODE, app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePort, freePorts } from '../../support/ports.js';
import { http1Requests, http2Requests } from '../../support/traffic/http-requests.js';
import { executedIds, startTraffic } from '../../support/traffic/traffic.js';
import { eventOf, until } from '../../support/until.js';

t.jobs = 3;

/**
 * @param home in which it stays until the end
 * @param options.program of test/fixtures/apps; it writes ids to the file in EXECUTED
 * @param options.flags of `start`
 */
async function reloadUnderTraffic(t, home, { program, env = {}, flags = [], client }) {
  const { root, ok, pidsOf } = home;
  const port = await freePort();
  const name = `on-${port}`;
  const executed = join(root, name);
  const start = ['start', app(program), '-i', '2', '--name', name, '--min-uptime', '100'];
  await ok([...start, ...flags], { env: { PORT: String(port), EXECUTED: executed, ...env } });
  const { requests, close } = client(port);
  const traffic = startTraffic(requests);
  const before = await pidsOf(name);
  await traffic.answers(20);
  const { stderr } = await ok(['reload', name]);
  t.match(stderr, /2 workers replaced .* never fewer than 2 ready/);
  t.notMatch(stderr, /cut/);
  await traffic.answers(20);
  const { made, failures } = await traffic.stop();
  close();
  t.same(failures, [], `of ${made} requests`);
  const { ids, twice } = executedIds(executed);
  t.same([ids.size, twice], [made, []], 'each was executed once');
  t.notOk(
    (await pidsOf(name)).some((pid) => before.includes(pid)),
    'both are new',
  );
}

const home = testHome(t);

/**
 * Slow bodies, chunks, server-sent events and 100-continue on connections that are kept, and on others for one request each.
 */
function bothKinds(port) {
  const kept = http1Requests(port);
  const { requests } = http1Requests(port, { keepAlive: false });
  const short = Object.entries(requests).map(([kind, ask]) => [`short-${kind}`, ask]);
  return { requests: { ...kept.requests, ...Object.fromEntries(short) }, close: kept.close };
}

/** What programs with frameworks serve. */
function postAndContinue(port) {
  const { requests, close } = http1Requests(port);
  return { requests: { post: requests.post, continue: requests.continue }, close };
}

const programs = {
  'round-robin': { flags: ['--scheduling', 'round-robin'], client: bothKinds },
  fair: { flags: ['--scheduling', 'fair'], client: bothKinds },
  sticky: { flags: ['--scheduling', 'sticky'], client: bothKinds },
  'HTTPS, and a program with its own shutdown handler': {
    env: { PROTOCOL: 'https', OWN_HANDLER: 'yes' },
    flags: ['--kill-signal', 'SIGINT'],
    client: (port) => http1Requests(port, { secure: true }),
  },
  'HTTP/2 with TLS, and a program with its own shutdown handler': {
    env: { PROTOCOL: 'h2', OWN_HANDLER: 'yes' },
    client: (port) => http2Requests(port, { secure: true }),
  },
  'HTTP/2 without TLS, and a program that keeps a timer running': {
    env: { PROTOCOL: 'h2c', HOLD_TIMER: 'yes' },
    client: (port) => http2Requests(port),
  },
  'Express with its usual shutdown handler': {
    program: 'express-ids.cjs',
    client: postAndContinue,
  },
  'Fastify with its own': { program: 'fastify-ids.cjs', client: postAndContinue },
  'Koa with its own': { program: 'koa-ids.cjs', client: postAndContinue },
};

for (const [what, how] of Object.entries(programs)) {
  t.test(what, (t) => reloadUnderTraffic(t, home, { program: 'traffic.cjs', ...how }));
}

const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

async function echoing(name, flags) {
  const [port, tcpPort] = await freePorts(2);
  const executed = join(home.root, name);
  const env = { PORT: String(port), TCP_PORT: String(tcpPort), EXECUTED: executed };
  const start = ['start', app('long-lived.cjs'), '--name', name, '--min-uptime', '100'];
  await home.ok([...start, ...flags], { env });
  return { port, tcpPort, executed };
}

async function conversation(t, port, greeting) {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  t.teardown(() => socket.destroy());
  const state = { received: '', ended: false };
  socket.on('data', (text) => (state.received += text));
  socket.on('error', () => {}).on('close', () => (state.ended = true));
  await eventOf(socket, 'connect');
  if (greeting) {
    socket.write(greeting);
    await until(() => state.received.includes('\r\n\r\n'), 'the upgrade');
  }
  return {
    state,
    socket,
    async say(word) {
      socket.write(`${word}\n`);
      const found = await until(() => new RegExp(`(\\d+) ${word}\\n`).exec(state.received), word);
      return Number(found[1]);
    },
  };
}

function shortTalk(port) {
  return async (id) => {
    const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text) => {
      received += text;
      if (received.includes('\n')) socket.end();
    });
    socket.write(`${id}\n`);
    await once(socket, 'close');
    if (!received.endsWith(` ${id}\n`)) throw new Error(`received ${JSON.stringify(received)}`);
  };
}

t.test('short conversations over TCP are not lost', async (t) => {
  const { tcpPort, executed } = await echoing('short', ['-i', '2']);
  const traffic = startTraffic({ tcp: shortTalk(tcpPort) }, 5);
  for (let reload = 0; reload < 2; reload++) {
    await traffic.answers(20);
    await home.ok(['reload', 'short']);
  }
  await traffic.answers(20);
  const { made, failures } = await traffic.stop();
  t.same(failures, [], `of ${made} conversations`);
  const { ids, twice } = executedIds(executed);
  t.same([ids.size, twice], [made, []], 'each was executed once');
});

t.test('long ones continue until drain_timeout, and are counted', async (t) => {
  const { port, tcpPort } = await echoing('long', ['--drain-timeout', '8s']);
  const [old] = await home.pidsOf('long');
  const open = [await conversation(t, tcpPort), await conversation(t, port, UPGRADE)];
  for (const { say } of open) t.equal(await say('before'), old);
  const reload = home.begin(['reload', 'long']);
  await reload.said(/long:0 online/);
  for (const { say } of open) t.equal(await say('meanwhile'), old);
  // What is silent since the drain began would not be waited for.
  const talk = setInterval(() => open[0].socket.write('and on\n'), 100);
  t.teardown(() => clearInterval(talk));
  const fresh = await conversation(t, tcpPort);
  const now = await fresh.say('another');
  t.not(now, old, 'who comes now is served by the new worker');
  const { code, stderr } = await reload.ended;
  t.equal(code, 0);
  t.match(stderr, /2 open connections closed when drain_timeout expired/);
  await until(() => open.every(({ state }) => state.ended), 'both to be cut');
  t.equal(await fresh.say('afterwards'), now, 'which goes on');
});

/** From the Node under test, if it is another one, to the one of this test and back. */
const INTERPRETERS = new Set([process.execPath, NODE]);

t.test('scheduling and interpreter change without a lost request', async (t) => {
  const { ok, appNamed, startApi } = home;
  const port = await startApi(['-i', '2', '--min-uptime', '200ms']);
  const load = startLoad(t, { port, clients: 4 });
  await load.answers(10);
  const reload = async (...change) => {
    const { primaryPid } = await appNamed('api');
    await ok(['reload', 'api', ...change]);
    const changed = await appNamed('api');
    t.equal(changed.status, 'online');
    t.not(changed.primaryPid, primaryPid);
    await load.answers(20);
    return changed;
  };
  for (const scheduling of ['sticky', 'round-robin', 'fair']) {
    t.match(await reload('--scheduling', scheduling), { scheduling });
  }
  for (const interpreter of INTERPRETERS) await reload('--interpreter', interpreter);
  t.match(await load.stop(), { failed: 0, failures: [] });
});

const other = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
const isOther = other !== process.version;
const skip = isOther ? false : 'needs NODECLUSTER_TEST_NODE, a Node of another version';

t.test('daemon and primaries move to another Node without a lost request', { skip }, async (t) => {
  const { ok, list, startApi } = testHome(t);
  const first = { node: process.execPath };
  const port = await startApi(['-i', '2'], first);
  await ok(['start', app('http-pid.cjs'), '--name', 'own', '--interpreter', process.execPath], {
    ...first,
    env: { PORT: String(await freePort()) },
  });
  const load = startLoad(t, { port, clients: 2 });
  const before = await list();
  t.match(before.daemon, { node: process.version });
  t.match(before.apps, [{ primaryNode: process.version }, { primaryNode: null }]);

  const numbers = [process.version, other].map((version) => version.slice(1));
  t.match((await ok(['update'])).stdout, `Node ${numbers.join(' → ')}`);
  t.match((await ok(['update'])).stdout, /up to date/);
  const moved = await list();
  t.match(moved.daemon, { node: other });
  t.same(
    moved.apps.map(({ primaryPid }) => primaryPid),
    before.apps.map(({ primaryPid }) => primaryPid),
  );
  await ok(['update', '--apps']);
  const replaced = await list();
  t.match(replaced.apps[0], { primaryNode: other, status: 'online' });
  t.equal(replaced.apps[1].primaryPid, before.apps[1].primaryPid, 'its interpreter is its own');
  t.match((await ok(['update', '--apps'])).stdout, /Every primary is up to date/);

  await ok(['update', '--apps'], first);
  t.match((await list()).apps[0], { primaryNode: process.version });
  t.strictSame((await load.stop()).failures, []);
});
