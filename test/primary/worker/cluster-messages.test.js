/** Which requests of a worker node:cluster may act on. */
import t from 'tap';
import { ClusterMessages } from '../../../src/primary/worker/cluster-messages.js';

const request = (/** @type {number} */ port, index = 0) => {
  return { act: 'queryServer', address: null, port, addressType: 4, index, seq: port + index };
};

t.test('a thousand servers at a time, and any number one after the other', async (t) => {
  // As node:cluster names what it has opened: with the index on Node 20.
  for (const suffix of [':0', '']) {
    const messages = new ClusterMessages();
    for (let port = 1; port <= 3000; port++) {
      if (messages.judge(request(port))) return t.fail(`port ${port} is refused`);
      messages.judge({ act: 'close', key: `null:${port}:4:-1${suffix}` });
    }
    for (let port = 1; port <= 1000; port++) messages.judge(request(port));
    t.match(messages.judge(request(1001)), { reply: { ack: 1001 } });
    t.equal(messages.judge(request(1)), null, 'it has that one already');
  }
});

t.test('each server at port 0 has a socket of its own', async (t) => {
  const messages = new ClusterMessages();
  for (let index = 0; index < 1000; index++) messages.judge(request(0, index));
  t.ok(messages.judge(request(0, 1000)));
  messages.judge({ act: 'close', key: 'null:0:4:-1:7' });
  t.equal(messages.judge(request(0, 1000)), null);
});
