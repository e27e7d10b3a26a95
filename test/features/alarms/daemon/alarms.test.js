/** Which events reach which alarms, and what is known of them afterwards. */
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { json } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { alarms as feature } from '../../../../src/features/alarms/daemon.js';
import { EventHub } from '../../../../src/daemon/events.js';
import { listening } from '../../../support/listening.js';
import { specWith } from '../../../support/spec.js';
import { until } from '../../../support/until.js';

const alarm = (parts) => ({
  event: ['worker.*'],
  failed: false,
  run: null,
  post: null,
  headers: {},
  timeoutMs: 5000,
  intervalMs: 60_000,
  ...parts,
});

async function scene(t) {
  const bodies = [];
  let status = 200;
  let hold = Promise.resolve();
  const server = createServer(async (request, response) => {
    bodies.push(await json(request));
    await hold;
    response.writeHead(status).end();
  });
  const post = `http://127.0.0.1:${await listening(t, server)}/s3cret`;
  const logged = [];
  const log = { warn: (...args) => logged.push(args), error: (...args) => logged.push(args) };
  const events = new EventHub();
  const hooks = feature({ paths: { home: '/the/home' }, events, log });
  const alarms = {
    note: hooks.published,
    view: (app) => hooks.record(app, ['details']).alarms,
    end: hooks.ending,
  };
  events.onPublished = (app, event, isAgain) => alarms.note(app, event, isAgain);
  t.teardown(() => alarms.end());
  const app = (on) => ({ name: 'api', namespace: 'x', ids: { 0: 7 }, spec: specWith({ on }) });
  const answer = (next) => (status = next);
  const holdUntil = (promise) => (hold = promise);
  return { alarms, events, bodies, post, logged, app, answer, holdUntil };
}

t.test('events of the types that an alarm names, the same ones together', async (t) => {
  const { events, alarms, bodies, post, app } = await scene(t);
  const api = app([alarm({ post })]);
  events.publish(api, { type: 'worker.exited', slot: 0 });
  events.publish(api, { type: 'reload.begun' });
  events.publish(api, { type: 'worker.event', slot: 0, name: 'x' });
  await until(() => bodies.length === 1 && alarms.view(api)[0].delivered === 1, 'the first');
  t.match(bodies[0], { count: 1, event: { type: 'worker.exited', slot: 0, id: 7 } });
  for (let n = 0; n < 50; n += 1) events.publish(api, { type: 'worker.exited', slot: 0 });
  const to = /^POST http:\/\/127\.0\.0\.1:\d+\/\*+$/;
  t.match(alarms.view(api), [{ to, delivered: 1, waiting: 50, trouble: undefined }]);
});

t.test('only failures', async (t) => {
  const { events, alarms, bodies, post, app } = await scene(t);
  const api = app([alarm({ event: ['*.ended'], failed: true, post })]);
  events.publish(api, { type: 'job.ended', ok: true });
  events.publish(api, { type: 'job.ended', ok: false, reason: 'exited with code 1' });
  await until(() => alarms.view(api)[0].delivered === 1, 'the delivery');
  const text = `api job failed on ${hostname()}: exited with code 1`;
  t.match(bodies, [{ text, event: { ok: false } }]);
});

t.test('what is not delivered when its setting changes is counted and logged', async (t) => {
  const { events, alarms, post, app, answer, logged } = await scene(t);
  const api = app([alarm({ event: ['*'], post })]);
  answer(410);
  events.publish(api, { type: 'primary.lost' });
  await until(() => alarms.view(api)[0].trouble !== undefined, 'it to fail');
  const view = alarms.view(api);
  t.match(view, [{ delivered: 0, waiting: 1, trouble: 'the server answered 410' }]);
  api.spec = specWith({ on: [] });
  t.same(alarms.view(api), []);
  const reason = 'the server answered 410';
  const facts = { app: 'api', of: 'primary.lost', count: 1, attempts: 1, reason };
  t.match(logged, [['alarm.undelivered', facts]]);
  t.notMatch(JSON.stringify([logged, view]), 's3cret');
});

t.test('changed settings hold at once, and the others keep what they know', async (t) => {
  const { events, alarms, post, app, bodies } = await scene(t);
  const [stays, goes] = [alarm({ post }), alarm({ event: ['primary.lost'], post })];
  const api = app([stays, goes]);
  events.publish(api, { type: 'worker.exited', slot: 0 });
  await until(() => alarms.view(api)[0].delivered === 1, 'the first');
  api.spec = specWith({ on: [{ ...stays }] });
  events.publish(api, { type: 'primary.lost' });
  t.match(alarms.view(api), [{ delivered: 1 }]);
  t.equal(alarms.view(api).length, 1);
  api.spec = specWith({ on: [] });
  events.publish(api, { type: 'worker.errored', slot: 0 });
  t.same(alarms.view(api), []);
  t.equal(bodies.length, 1);
});

t.test('events from before this daemon count if they may have been lost', async (t) => {
  const { events, alarms, post, app, bodies } = await scene(t);
  const api = app([alarm({ post })]);
  const at = (ms) => Math.round(performance.timeOrigin) + ms;
  events.publish(api, { type: 'worker.exited', slot: 0, at: at(-60_000), again: true });
  events.publish(api, { type: 'worker.errored', slot: 0, at: at(-5000), again: true });
  await until(() => alarms.view(api)[0].delivered === 1, 'the delivery');
  t.match(
    bodies.map(({ event }) => event.type),
    ['worker.errored'],
  );
});

t.test('at the end what is due is still delivered, and the rest is given up', async (t) => {
  const { events, alarms, post, app, bodies, logged } = await scene(t);
  const api = app([alarm({ post })]);
  events.publish(api, { type: 'worker.exited', slot: 0 });
  events.publish(api, { type: 'worker.exited', slot: 0 });
  await alarms.end();
  t.equal(bodies.length, 1);
  t.match(logged, [['alarm.undelivered', { count: 1, reason: 'the daemon ended' }]]);
});

t.test('if all apps fail at once, not all alarms are delivered at once', async (t) => {
  const { events, alarms, bodies, post, app, holdUntil } = await scene(t);
  const warnings = [];
  const note = (warning) => warnings.push(warning);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  let release = () => {};
  holdUntil(new Promise((resolve) => (release = resolve)));
  const apps = Array.from({ length: 40 }, () => app([alarm({ post })]));
  for (const each of apps) events.publish(each, { type: 'worker.exited', slot: 0 });
  await until(() => bodies.length >= 16, 'the first ones');
  t.equal(bodies.length, 16);
  release();
  await until(() => apps.every((each) => alarms.view(each)[0].delivered === 1), 'all of them');
  t.equal(bodies.length, 40);
  t.same(warnings, []);
});

t.test('an app that is deleted is forgotten', async (t) => {
  const { alarms, post, app } = await scene(t);
  let deleted = app([alarm({ event: ['delete.ended'], post })]);
  const known = new WeakRef(deleted);
  deleted.deleted = true;
  alarms.note(deleted, { type: 'delete.ended', at: Date.now() }, false);
  await until(() => alarms.view(known.deref())[0].delivered === 1, 'the last delivery');
  deleted = null;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  await until(() => (collect(), known.deref() === undefined), 'its memory to be free');
});
