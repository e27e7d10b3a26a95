/** The latest reload of an app, from its record and its events. */
import t from 'tap';
import { latestReload } from '../../../../src/clients/web/page/reload-view.js';

const worker = (slot, generation = 1) => ({ id: slot + 1, slot, generation });
const app = { name: 'api', generation: 1, workers: [worker(0, 2), worker(1), worker(2)] };

/** @param {string} type @param {object} [fields] */
function event(type, fields) {
  return { type, at: 1000, app: 'api', text: type, ...fields };
}

const begun = event('reload.begun');
const ended = event('reload.ended', { at: 3000, ok: true, done: [1, 2, 3], kept: [] });

t.test('without a reload there is nothing to show', async (t) => {
  t.equal(latestReload(app, [], 5000), null);
  t.equal(latestReload(app, [{ ...begun, app: 'web' }], 5000), null);
  t.equal(latestReload(app, [begun, ended], 3000 + 11 * 60_000), null, 'it is long over');
});

t.test('while it goes on, the record counts', async (t) => {
  const cut = event('worker.stopped', { slot: 0, cut: 3 });
  t.match(latestReload(app, [begun, cut], 5000), {
    done: 1,
    outcome: null,
    text: '1 of 3 workers replaced, 4.0s, 3 connections closed',
  });
});

t.test('a canary has replaced nothing while it is judged', async (t) => {
  const canary = { ...worker(0, 2), beside: [{ pid: 1 }] };
  const judging = { ...app, workers: [canary, worker(1), worker(2)] };
  const text = '0 of 3 workers replaced, 4.0s';
  t.match(latestReload(judging, [begun], 5000), { done: 0, text });
});

t.test('then the outcome does', async (t) => {
  const later = event('worker.stopped', { at: 4000, cut: 3 });
  const { done, outcome, text } = latestReload(app, [begun, ended, later], 5000);
  t.same([done, outcome, text], [3, ended, '3 of 3 workers replaced, 2.0s']);
  const failed = event('reload.ended', { ok: false, done: [], kept: [1, 2, 3] });
  const back = latestReload(app, [begun, event('reload.rollback'), failed], 5000);
  t.match(back, { done: 0, text: /rolled back/ });
  t.match(latestReload(app, [begun, failed, begun], 5000), { outcome: null }, 'the latest counts');
});
