/** A primary that retires while another one serves its socket loses no connection that it has. */
import http from 'node:http';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { connectChannel } from '../../../../src/protocol/handle-channel.js';
import { eventOf, until, within } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const CONNECTIONS = 20;
const BLOCKED_MS = 1500;
const TIMEOUT_MS = 20_000;

/** @returns the socket that it listens on, as the next primary gets it */
async function socketOf(primary) {
  const channel = await connectChannel(primary.paths.primary(1).handover, TIMEOUT_MS);
  channel.send({});
  const [, handle] = await eventOf(channel, 'message', TIMEOUT_MS);
  channel.send({});
  return handle;
}

/** @returns the answer */
function ask(port, path = '/', onConnected = () => {}) {
  const answer = new Promise((resolve, reject) => {
    const asked = http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve(body));
    });
    asked.on('error', reject);
    asked.on('socket', (socket) => socket.once('connect', onConnected));
  });
  return within(answer, 'an answer');
}

t.test('what they hand over when it is asked to retire', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { scheduling: 'fair', instances: 2 });
  const handle = await socketOf(primary);
  const kept = net.connect(primary.port, '127.0.0.1');
  t.teardown(() => kept.destroy());
  await ask(primary.port);

  // It reads the request first, and then what the workers have sent meanwhile.
  process.kill(primary.child.pid, 'SIGSTOP');
  const ended = primary.ask('retire');
  let answered = 0;
  const asked = Array.from({ length: CONNECTIONS }, () => ask(primary.port));
  for (const each of asked) void each.then(() => answered++).catch(() => {});
  await until(() => answered > 0, 'what exceeds the share of a worker to be handed over');
  process.kill(primary.child.pid, 'SIGCONT');
  // Instead of the next primary.
  const successor = http.createServer((_request, response) => response.end('successor'));
  successor.listen(handle);
  t.teardown(() => successor.close());

  const answers = await Promise.all(asked);
  t.equal(answers.length, CONNECTIONS);
  kept.destroy();
  t.match(await within(ended, 'its end'), { ok: true });
});

t.test('what waits in it for a worker that is blocked', async (t) => {
  const change = { scheduling: 'round-robin', instances: 1 };
  const primary = await startedPrimary(t, 'blocks-on-demand.cjs', change);
  const file = join(t.testdir(), 'free');
  await ask(primary.port, `/block?${file}`);
  const before = (await primary.slot()).pid;
  let connected = 0;
  const asked = Array.from({ length: 5 }, () => ask(primary.port, '/', () => connected++));
  await until(() => connected === asked.length, 'all to be connected');
  // Node 22 and newer accept one in each turn of the event loop, and a reply takes at least one.
  for (let turn = 0; turn <= asked.length; turn += 1) await primary.state();
  const ended = primary.ask('retire');
  await pause(BLOCKED_MS);
  writeFileSync(file, '');
  for (const answer of await Promise.all(asked)) t.equal(JSON.parse(answer).pid, before);
  t.match(await within(ended, 'its end'), { ok: true });
});
