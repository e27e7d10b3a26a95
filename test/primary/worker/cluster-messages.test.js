/** Which requests of a worker node:cluster may act on. */
import t from 'tap';
import { ClusterMessages } from '../../../src/primary/worker/cluster-messages.js';

const request = (/** @type {number} */ port, index = 0) => {
  return { act: 'queryServer', address: null, port, addressType: 4, index, seq: port + index };
};

t.test('a thousand servers at a time, and any number one after the other', async (t) => {
  // As node:cluster names what it has opened: always with an index on Node 20, later at port 0.
  for (const suffix of [':0', '']) {
    const messages = new ClusterMessages();
    for (let port = 1; port <= 3000; port++) {
      if (messages.judge(request(port))) return t.fail(`port ${port} is refused`);
      messages.judge({ act: 'close', key: `null:${port}:4:-1${suffix}` });
    }
    for (let port = 1; port <= 1000; port++) messages.judge(request(port));
    t.match(messages.judge(request(1001)), { reply: { ack: 1001 } });
  }
});

for (const [what, address] of Object.entries({
  'a port': { port: 80 },
  'port 0': { port: 0 },
  'a unix socket': { address: '/tmp/a:1:4:-1', port: -1, addressType: -1 },
  'a udp port': { port: 80, addressType: 'udp4' },
})) {
  t.test(`${what}: a server that failed, or is closed, does not count`, async (t) => {
    const messages = new ClusterMessages();
    let index = 0;
    const ask = () => {
      const message = { ...request(0, index++), ...address };
      t.equal(messages.judge(message), null);
      t.equal(message.index, 0);
      const { address: host, port, addressType, fd } = message;
      return { fd, key: `${host}:${port}:${addressType}:${fd}` };
    };
    const first = ask();
    messages.closed(first.key);
    t.same(ask(), first);
    messages.closed(`${first.key}:0`);
    t.same(ask(), first);
    const second = ask();
    t.not(second.fd, first.fd, 'each has a socket of its own');
    messages.closed(first.key);
    t.not(ask().fd, first.fd, 'while another one is open');
  });
}
