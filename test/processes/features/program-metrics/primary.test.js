/** What the programs of an app count in registries of their own, added up. */
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const valuesOf = ({ families }, name) =>
  families.find((family) => family.name === name)?.samples.map(([, , value]) => value);

t.test('sums over workers keep what those counted that have been replaced', async (t) => {
  const spec = await specOf('registry.cjs', { instances: 2, minUptimeMs: 0 });
  const { ask: request, port } = await startPrimary(t, spec);
  await request('start');
  const pids = new Set();
  for (let count = 0; count < 20; count += 1) pids.add(await ask(port));
  const before = await request('program-metrics');
  t.same(valuesOf(before, 'served_total'), [20]);
  t.equal(valuesOf(before, 'load').length, 1, 'a gauge by its aggregator');
  t.equal(before.failure, null);
  t.same(before.families[0].samples[0][1], { route: '/', code: '200' });

  t.ok((await request('reload')).ok);
  t.same(valuesOf(await request('program-metrics'), 'served_total'), [20], 'nothing falls');
  const successor = await ask(port);
  t.notOk(pids.has(successor));
  const after = await request('program-metrics');
  t.same(valuesOf(after, 'served_total'), [21]);
  t.notOk(
    valuesOf(after, 'load').some((pid) => pids.has(pid)),
    'no gauge of one that has exited',
  );
});

t.test('programs without prom-client have none', async (t) => {
  const without = await startedPrimary(t, 'watched.cjs');
  t.same(await without.ask('program-metrics'), { families: [], failure: null });
});

t.test('a registry that hangs, throws, is too large or lies', async (t) => {
  const replyOf = async (REGISTRY) => {
    const primary = await startedPrimary(t, 'registry.cjs', { env: { REGISTRY } });
    await primary.ask('program-metrics');
    return primary.ask('program-metrics');
  };
  const kinds = ['hang', 'throw', 'grow', 'forge'];
  const [hanging, throwing, huge, lying] = await Promise.all(kinds.map(replyOf));
  t.same(hanging, { families: [], failure: 'a worker did not report within 1 s' });
  t.same(throwing, { families: [], failure: 'the pool is closed' });
  t.match(huge, { families: [], failure: /^its metrics have \d{6} characters$/ });
  t.equal(lying.failure, null);
  t.same(
    lying.families.map(({ name }) => name),
    ['served_total', 'load', 'fine'],
  );
  t.same(lying.families[2].samples, [['', { a: '"\\\n', b: 'NaN' }, 1]]);
});
