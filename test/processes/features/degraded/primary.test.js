/** What a primary knows of the requests of its workers, without a lease. */
import http from 'node:http';
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

async function loadOf(primary) {
  return (await primary.ask('loads')).workers[0]?.requests;
}

t.test('a request that is not answered', async (t) => {
  const primary = await startedPrimary(t, 'answers-on-demand.cjs');
  await primary.state();
  const waiting = http.get({ port: primary.port, path: '/slow' });
  waiting.on('error', () => {});
  await ask(primary.port, '/');
  const load = await until(async () => {
    const now = await loadOf(primary);
    return Date.now() - (now?.oldestSince ?? Infinity) > 1000 && now;
  }, 'its age');
  t.match(load, { open: 1, answered: 1, errors: 0 });
  const told = (type) => until(() => primary.events.find((event) => event.type === type), type);
  t.match(await told('worker.degraded'), {
    slot: 0,
    reason: /^has not answered a request for \d+s$/,
  });
  waiting.destroy();
  t.match(await told('worker.recovered'), { slot: 0 });
  t.match(await loadOf(primary), { open: 0, oldestSince: undefined, answered: 1 });
});

t.test('requests that are answered with 5xx', async (t) => {
  const primary = await startedPrimary(t, 'watched.cjs');
  for (const path of ['/', '/500', '/503']) await ask(primary.port, path);
  const isCounted = async () => (await loadOf(primary))?.answered === 3;
  await until(isCounted, 'all to be counted');
  t.match(await loadOf(primary), { open: 0, oldestSince: undefined, errors: 2 });
});
