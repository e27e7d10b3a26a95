import t from 'tap';
import { App } from '../../src/daemon/apps/app.js';
import { requestTimeout, relaunchDelay } from '../../src/daemon/delays.js';
import { specWith } from '../support/spec.js';

t.test('the restart delay of a primary grows', async (t) => {
  t.strictSame([1, 2, 3, 4, 50].map(relaunchDelay), [0, 100, 200, 400, 10_000]);
});

t.test('the settings of an app bound a request to its primary', async (t) => {
  const spec = {
    listenTimeoutMs: 10_000,
    holdTimeoutMs: 30_000,
    hangTimeoutMs: null,
    minUptimeMs: 1000,
    drainTimeoutMs: 30_000,
    killTimeoutMs: 5000,
  };
  const rows = [
    ['send', {}, 4, 60_000],
    ['configure', {}, 4, 60_000],
    ['start', {}, 4, 60_000 + 301_000],
    ['start', { listenTimeoutMs: 90_000 }, 4, 60_000 + 901_000],
    ['start', { hangTimeoutMs: 50_000 }, 4, 60_000 + 501_000],
    ['stop', {}, 4, 42_000],
    ['scale', {}, 4, 60_000 + 42_000 + 301_000],
    ['restart', { killTimeoutMs: 0 }, 4, 60_000 + 37_000 + 301_000],
    ['reload', {}, 1, 60_000 + 2 * 343_000],
    ['reload', {}, 4, 60_000 + 8 * 343_000],
    ['reload', { drainTimeoutMs: 10 ** 12 }, 4, 2 ** 31 - 1],
  ];
  for (const [method, settings, slots, expected] of rows) {
    const bound = requestTimeout(method, { ...spec, ...settings }, slots);
    t.equal(bound, expected, `${method} ${JSON.stringify(settings)} ${slots}`);
  }
});

t.test('a command of an app has the bound of its longer settings, old or new', async (t) => {
  const old = specWith({ listenTimeoutMs: 90_000 });
  const desired = { spec: old, slots: [0], stoppedSlots: [], ids: {}, rollout: null };
  const services = { pathsOf: () => {}, log: { of: () => {} }, holderOf: () => {} };
  const app = new App({ ...desired, generation: 1 }, services);
  const bounds = [];
  const link = { request: async (_method, _params, { timeoutMs }) => bounds.push(timeoutMs) };
  const spec = { ...old, listenTimeoutMs: 1000, drainTimeoutMs: 100_000 };
  await app.request('reload', { spec, generation: 2, slots: [0, 1] }, { link });
  await app.request('reset', {}, { link });
  const [before, after] = [old, spec].map((one) => requestTimeout('reload', one, 2));
  t.strictSame(bounds, [Math.max(before, after), requestTimeout('reset', old, 1)]);
});
