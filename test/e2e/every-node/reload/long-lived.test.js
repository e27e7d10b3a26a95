/** Raw TCP and upgraded HTTP: short conversations complete, long ones are closed at drain_timeout. */
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../../support/home.js';
import { freePorts } from '../../../support/ports.js';
import { executions, startTraffic } from '../../../support/traffic/traffic.js';
import { eventOf, until } from '../../../support/until.js';

/** @import { SendRequest } from '../../../support/traffic/traffic.js' */

const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

/** @param {any} t @param {string[]} flags of `start` */
async function echoing(t, flags) {
  const home = testHome(t);
  const [port, tcpPort] = await freePorts(2);
  const executed = join(home.root, 'executed');
  const env = { PORT: String(port), TCP_PORT: String(tcpPort), EXECUTED: executed };
  const start = ['start', app('long-lived.cjs'), '--name', 'api', '--min-uptime', '100'];
  await home.ok([...start, ...flags], { env });
  return { ...home, port, tcpPort, executed };
}

/** @param {any} t @param {number} port @param {string} [greeting] */
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
    /** @param {string} word @returns {Promise<number>} the pid of the worker that echoed it */
    async say(word) {
      socket.write(`${word}\n`);
      const found = await until(() => new RegExp(`(\\d+) ${word}\\n`).exec(state.received), word);
      return Number(found[1]);
    },
  };
}

/** @param {number} port @returns {SendRequest} one line, and its echo */
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
  const { ok, tcpPort, executed } = await echoing(t, ['-i', '2']);
  const traffic = startTraffic({ tcp: shortTalk(tcpPort) }, 5);
  for (let reload = 0; reload < 2; reload++) {
    await traffic.answers(20);
    await ok(['reload', 'api']);
  }
  await traffic.answers(20);
  const { made, failures } = await traffic.stop();
  t.same(failures, [], `of ${made} conversations`);
  t.same(executions(executed), { count: made, twice: [] });
});

t.test('long ones continue until drain_timeout, and are counted', async (t) => {
  const { begin, pidsOf, port, tcpPort } = await echoing(t, ['--drain-timeout', '8s']);
  const [old] = await pidsOf('api');
  const open = [await conversation(t, tcpPort), await conversation(t, port, UPGRADE)];
  for (const { say } of open) t.equal(await say('before'), old);
  const reload = begin(['reload', 'api']);
  await reload.said(/api:0 draining/);
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
