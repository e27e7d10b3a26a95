import t from 'tap';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { EventWriter } from '../../../src/clients/web/event-writer.js';
import { Tab } from '../../../src/clients/web/live.js';
import { listening } from '../../support/listening.js';
import { until } from '../../support/until.js';

const LARGE = JSON.stringify('x'.repeat(1024 * 1024));

async function slowReader(t, mayContinue = () => true, times = undefined) {
  const server = createServer();
  const port = await listening(t, server);
  const asking = request({ host: '127.0.0.1', port, agent: false });
  asking.on('error', () => {});
  asking.end();
  const [, response] = await once(server, 'request');
  const writer = new EventWriter(response, mayContinue, times);
  const [received] = await once(asking, 'response');
  received.on('error', () => {});
  return { writer, response, received };
}

t.test('nothing is buffered beyond one message, and it catches up', async (t) => {
  const { writer, response, received } = await slowReader(t);
  const tab = new Tab(writer);
  tab.catchUp(() => '"first"');
  await until(() => {
    tab.send('change', LARGE);
    return !tab.isCurrent;
  }, 'the buffers of the system to be full');
  const held = response.writableLength;
  t.ok(held < 2 * LARGE.length, `${held} bytes`);
  for (let count = 0; count < 100; count += 1) {
    tab.send('sample', LARGE);
    tab.catchUp(() => t.fail('it still does not read'));
  }
  t.equal(response.writableLength, held);
  let read = '';
  received.setEncoding('utf8').on('data', (text) => (read = (read + text).slice(-100)));
  await writer.drained();
  tab.catchUp(() => '"again"');
  await until(() => read.includes('event: snapshot\ndata: "again"'), 'a fresh snapshot');
});

t.test('who reads nothing for too long is disconnected', async (t) => {
  const { writer, response } = await slowReader(t, () => true, { beatMs: 60_000, stalledMs: 50 });
  await until(() => {
    // The system itself buffers some of it.
    if (!writer.isBehind) writer.send('change', LARGE);
    return response.destroyed;
  }, 'it to be disconnected');
});

t.test('who is signed out gets no more', async (t) => {
  let isSignedIn = true;
  const times = { beatMs: 20, stalledMs: 60_000 };
  const { writer, response, received } = await slowReader(t, () => isSignedIn, times);
  await once(received.setEncoding('utf8'), 'data');
  t.notOk(response.writableEnded);
  isSignedIn = false;
  await once(received, 'end');
  writer.send('change', '{}');
});

t.test('changes while it reads, then nothing, then a fresh snapshot', async (t) => {
  const sent = [];
  const writer = { isBehind: false, send: (name, json) => sent.push(`${name} ${json}`) };
  const tab = new Tab(writer);
  tab.send('change', '1');
  tab.catchUp(() => 'a');
  tab.catchUp(() => t.fail('it is current'));
  tab.send('change', '2');
  t.same(sent.splice(0), ['snapshot a', 'change 2'], 'nothing before the snapshot');
  writer.isBehind = true;
  tab.send('change', '3');
  tab.send('sample', '3');
  tab.catchUp(() => t.fail('it has not caught up'));
  writer.isBehind = false;
  tab.send('change', '4');
  t.same(sent.splice(0), [], 'a change would not fit to what it knows');
  tab.catchUp(() => 'b');
  tab.send('change', '5');
  t.same(sent, ['snapshot b', 'change 5']);
});
