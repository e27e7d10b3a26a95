/** A primary that retires while another one serves its socket loses nothing that its workers hand on. */
import http from 'node:http';
import net from 'node:net';
import t from 'tap';
import { connectChannel } from '../../../../src/protocol/handle-channel.js';
import { eventOf, until, within } from '../../../support/until.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

const CONNECTIONS = 20;
const TIMEOUT_MS = 20_000;

/** @param {any} primary @returns {Promise<any>} the socket that it listens on, as the next primary gets it */
async function socketOf(primary) {
  const channel = await connectChannel(primary.paths.app('app').handover, TIMEOUT_MS);
  const [, handle] = await eventOf(channel, 'message', TIMEOUT_MS);
  channel.send({});
  return handle;
}

/** @param {number} port @param {Record<string, string>} [headers] @returns {Promise<string>} the answer */
function ask(port, headers = {}) {
  const answer = new Promise((resolve, reject) => {
    const asked = http.get({ port, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve(body));
    });
    asked.on('error', reject);
  });
  return within(answer, 'an answer');
}

t.test('what they hand on when it is asked to retire', async (t) => {
  const spec = await specOf('http-pid.cjs', { scheduling: 'fair', instances: 2 });
  const primary = await startPrimary(t, spec);
  await primary.ask('start');
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
  await until(() => answered > 0, 'what exceeds the share of a worker to be handed on');
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
