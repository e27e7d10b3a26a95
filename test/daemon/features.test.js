/** What a feature throws is logged with its name, and hurts neither others nor the kernel. */
import t from 'tap';
import { Features } from '../../src/daemon/features.js';
import { EventHub } from '../../src/daemon/events.js';

const fail = () => {
  throw new Error('a bug');
};
const app = {
  ...{ name: 'api', namespace: 'default', ids: {}, slots: [0] },
  link: { state: 'connected', snapshot: { slots: [{ slot: 0 }] } },
};

function scene(broken) {
  const logged = [];
  const log = { error: (event, fields) => logged.push({ event, ...fields }) };
  const working = {
    ...{ record: () => ({ a: 1 }), worker: () => ({ b: 2 }), note: () => 'well' },
    measure: async () => (_app, record) => void (record.c = 3),
    event: (_app, event) => ({ ...event, reason: 'seen' }),
    check: () => {},
  };
  const makers = { broken: () => broken, working: () => working };
  return { features: new Features(makers, { log }), logged };
}

const calls = {
  record: (features) => features.record(app, { workers: [{}] }, []).a,
  worker: (features) => features.record(app, { workers: [{}] }, []).workers[0].b,
  note: (features) => features.record(app, { workers: [{}] }, []).note,
  event: (features) => features.event(app, { type: 'x' }, false).reason,
  async measure(features) {
    const record = {};
    const all = await Promise.all(features.ask('measure', [app], []));
    for (const add of all) add?.(app, record);
    return record.c;
  },
};
const answers = { record: 1, worker: 2, note: 'well', event: 'seen', measure: 3 };
const silent = ['sync', 'asked', 'startsAgain', 'ending'];

for (const hook of [...Object.keys(calls), ...silent]) {
  const kinds = ['measure', 'ending'].includes(hook)
    ? { fail, rejects: async () => fail() }
    : { fail };
  if (hook === 'measure') kinds.later = async () => fail;
  for (const [kind, broken] of Object.entries(kinds)) {
    t.test(`${hook}: ${kind}`, async (t) => {
      const { features, logged } = scene({ [hook]: broken });
      const call = calls[hook] ?? ((all) => Promise.all(all.ask(hook, app)));
      const answer = await call(features);
      if (hook in answers) t.equal(answer, answers[hook]);
      t.match(logged, [{ event: 'feature.failed', feature: 'broken', hook, reason: /a bug/ }]);
      t.equal(logged.length, 1);
    });
  }
}

t.test(
  'one that cannot be made is left out; what speaks against a command is thrown',
  async (t) => {
    const logged = [];
    const log = { error: (_event, fields) => logged.push(fields) };
    const refuses = () => ({ check: fail });
    const features = new Features({ broken: fail, refuses }, { log });
    t.match(logged, [{ feature: 'broken', reason: /a bug/ }]);
    t.throws(() => features.check(app, 'reload', {}), { message: 'a bug' });
  },
);

t.test('an event is published as its app means it, or not at all', async (t) => {
  const [sent, kept] = [[], []];
  const hub = new EventHub();
  const into = (list) => ({ selectors: [], since: 0, send: (event) => list.push(event) });
  hub.add(into(sent));
  hub.onEvent = (_app, event) => (event.type === 'no' ? null : { ...event, type: 'meant' });
  for (const type of ['no', 'yes', 'worker.event']) hub.publish(app, { type });
  t.match(sent, [{ type: 'meant' }, { type: 'worker.event' }]);
  hub.add(into(kept));
  t.match(kept, [{ type: 'meant' }]);
});
