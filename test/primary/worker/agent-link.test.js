/** What the primary takes from an agent that does not answer. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { AgentLink } from '../../../src/primary/worker/agent-link.js';
import { AGENT_CMD, channelTo } from '../../../src/primary/worker/channel.js';

/** @param {(type: string) => object | null} answer null: none */
function workerThat(answer) {
  const child = /** @type {any} */ (new EventEmitter());
  child.connected = true;
  child.send = ({ cmd, type }) => {
    const reply = answer(type);
    if (reply) setImmediate(() => child.emit('internalMessage', { cmd, ...reply }));
  };
  return child;
}

const SPEC = { drainTimeoutMs: 1, killSignal: 'SIGTERM' };

for (const [title, answer, open] of [
  ['nobody answers', () => null, null],
  ['it says nothing of them', (type) => ({ type: type === 'drain' ? 'drained' : 'settled' }), null],
  [
    'three were open',
    (type) => (type === 'drain' ? { type: 'drained', open: 3 } : { type: 'settled' }),
    3,
  ],
]) {
  t.test(`how many connections were open: ${title}`, async (t) => {
    t.equal(await new AgentLink(workerThat(answer)).drain(SPEC, 'keep'), open);
  });
}

t.test('its channel is closed while it drains', async (t) => {
  const child = workerThat(() => null);
  const drained = new AgentLink(child).drain({ ...SPEC, drainTimeoutMs: 60_000 }, 'keep');
  channelTo(child).close();
  t.equal(await drained, null);
});

t.test('heartbeats that a program has forged', async (t) => {
  const child = workerThat(() => null);
  const agent = new AgentLink(child);
  const beat = (/** @type {unknown} */ load) =>
    child.emit('internalMessage', { cmd: AGENT_CMD, type: 'beat', load });
  const load = (/** @type {any} */ answered) => ({
    ...{ bytes: 1, open: 1, oldestMs: 0, errors: 0 },
    answered,
  });
  beat(load(3));
  for (const wrong of [null, 'x', {}, load(-1), load(0.5), load(NaN), load('1')]) {
    beat(wrong);
    t.same(agent.load, load(3));
  }
});

t.test('the longest delay since somebody has read a report', async (t) => {
  const child = workerThat(() => null);
  const agent = new AgentLink(child);
  const report = (/** @type {unknown} */ maxMs) =>
    child.emit('internalMessage', {
      cmd: AGENT_CMD,
      type: 'telemetry',
      report: { atMs: 1, delay: { counts: [], sumMs: 0, maxMs } },
    });
  t.equal(agent.takeReport(), null);
  report(900);
  report(0);
  t.equal(agent.takeReport().delay.maxMs, 900, 'nobody has read the one that said it');
  t.equal(agent.takeReport().delay.maxMs, 900, 'there is no newer one');
  report(5);
  t.equal(agent.takeReport().delay.maxMs, 5);
  report('forged');
  report(3);
  t.equal(agent.takeReport().delay.maxMs, 3);
  child.emit('internalMessage', { cmd: AGENT_CMD, type: 'telemetry', report: null });
  t.equal(agent.takeReport(), null);
});
