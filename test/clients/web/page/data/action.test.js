import t from 'tap';
import { byName } from '../../../../../src/shared/merge-patch.js';
import { changeScale, confirmationFor } from '../../../../../src/show/confirmation.js';
import { actionFor, labelsFor } from '../../../../../src/clients/web/page/keys.js';
import { rowsOf } from '../../../../../src/show/rows.js';
import { firstState, onAction } from '../../../../../src/clients/web/page/data/store.js';
import { linkTo, parseRoute } from '../../../../../src/clients/web/page/data/route.js';

function appOf(name, ...statuses) {
  const workers = statuses.map((status, slot) => ({ id: slot + 10, slot, status, listening: [] }));
  return { name, status: statuses[0], mode: 'cluster', workers };
}

const api = appOf('api', 'online', 'backoff');
const cron = appOf('cron', 'stopped');

function stateWith(changes) {
  return {
    ...firstState(0),
    connection: { kind: 'open', text: '' },
    server: byName([api, cron]),
    route: parseRoute(''),
    ...changes,
  };
}

function press(state, ...keys) {
  let step = { state, effects: [] };
  for (const key of keys) {
    const view = step.state.confirmation ? 'question' : step.state.route.view;
    const action = actionFor(view, { key });
    if (action) step = onAction(step.state, { kind: 'key', action, page: 10 });
  }
  return step;
}

t.test('keys', async (t) => {
  t.equal(actionFor('table', { key: ' ' }), 'fold');
  t.equal(actionFor('app', { key: 'd' }), 'close');
  t.equal(actionFor('app', { key: 'g' }), null);
  t.equal(actionFor('table', { key: 'r', ctrlKey: true }), null, 'the browser reloads the page');
  const labels = (changes) =>
    labelsFor(stateWith({ route: parseRoute('#/app/api'), ...changes })).map(([key]) => key);
  t.same(labels(), ['q', 'r', 'R', 's', '+ -', 'Space', '?', 'l', 'e']);
  t.same(labels({ server: byName([{ ...api, job: {} }]) }), ['q', 's', 'Space', '?', 'l', 'e']);
  t.same(labels({ server: { ...byName([api]), isReadOnly: true } }), ['q', 'Space', '?', 'l', 'e']);
});

t.test('addresses', async (t) => {
  const ofA = { view: 'logs', app: 'a', slot: null };
  const rows = [
    ['', { view: 'table', app: null, slot: null }, '#/'],
    ['#/app/a%2Fb', { view: 'app', app: 'a/b', slot: null }],
    ['#/app/api/3', { view: 'app', app: 'api', slot: 3 }],
    ['#/app/%', { view: 'app', app: '%', slot: null }, '#/app/%25'],
    ['#/logs/api/0', { view: 'logs', app: 'api', slot: 0 }],
    ['#/logs/a?level=warn&search=a+b%3F', { ...ofA, level: 'warn', search: 'a b?' }],
    ['#/events', { view: 'events', app: null, slot: null }],
  ];
  for (const [hash, route, link = hash] of rows) {
    t.same(parseRoute(hash), { level: '', search: '', ...route }, hash);
    t.equal(linkTo(route), link);
  }
});

t.test('the selection moves over the rows that are shown', async (t) => {
  t.equal(press(stateWith(), 'j').state.selected, 'api:0');
  t.equal(press(stateWith(), 'G').state.selected, 'cron');
  const folded = press(stateWith(), 'j', ' ', 'j', 'j');
  t.equal(folded.state.selected, 'cron', 'of a folded app, only what is wrong is shown');
  t.equal(press(stateWith({ filter: 'backoff' }), 'G').state.selected, 'api:1');
});

t.test('commands are asked first', async (t) => {
  const asked = press(stateWith(), 'j', 'R');
  const restart = { title: 'Restart api:0?', action: 'restart', target: 'api:0' };
  t.match(asked.state.confirmation, restart);
  t.same(asked.effects, []);
  const no = onAction(asked.state, { kind: 'answer', isConfirmed: false });
  t.match(no, { state: { confirmation: null }, effects: [] });
  const yes = onAction(asked.state, { kind: 'answer', isConfirmed: true });
  t.match(yes.effects, [{ do: 'send', confirmation: { target: 'api:0' } }]);
  t.match(press(asked.state, 'Enter'), yes);
  t.match(press(asked.state, 'Escape'), no);
  t.match(press(stateWith(), '+', '+', '-', '+').state.confirmation, { scale: { from: 2, to: 4 } });
});

t.test('nothing is asked while nothing can be sent', async (t) => {
  const { server } = stateWith();
  for (const change of [
    { connection: { kind: 'lost', text: '' } },
    { server: { ...server, gone: { since: 1 } } },
    { server: { ...server, isReadOnly: true } },
  ])
    t.equal(press(stateWith(change), 'r').state.confirmation, null, Object.keys(change).join());
});

t.test('questions', async (t) => {
  const [row, , second] = rowsOf(api);
  const [idle] = rowsOf(cron);
  const fork = rowsOf({ ...api, mode: 'fork' })[0];
  const listening = [{ address: '*:3000' }];
  const server = { ...api, workers: api.workers.map((each) => ({ ...each, listening })) };
  const rows = [
    ['reload', rowsOf(server)[0], 'Reload api?', '2 workers; no request is lost.', 'reload'],
    ['reload', row, 'Reload api?', /^2 workers\.$/, 'reload'],
    ['reload', fork, 'Reload api?', /each worker stops before its successor starts/, 'reload'],
    ['restart', row, 'Restart api?', /new connections wait/, 'restart'],
    ['restart', second, 'Restart api:1?', '1 worker; requests are finished.', 'restart'],
    ['restart', fork, 'Restart api?', /requests are interrupted/, 'restart'],
    ['stop', row, 'Stop api?', '2 workers will stop.', 'stop'],
    ['stop', idle, 'Start cron?', 'It is not running.', 'start'],
    ['more', row, 'Scale api from 2 to 3?', /change the number/, 'scale'],
    ['fewer', row, 'Scale api from 2 to 1?', /change the number/, 'scale'],
    ['reset', row, 'Reset the counters of api?', /restart counters/, 'reset'],
    ['flush', row, 'Empty the logs of api?', /lines .* are lost/, 'flush'],
    ['delete', row, 'Delete api?', /no longer listed/, 'delete'],
  ];
  for (const [action, of, title, text, sent] of rows) {
    t.match(confirmationFor(action, of), { title, text, action: sent }, `${action} ${title}`);
  }
});

t.test('questions about a job', async (t) => {
  const jobOf = (status, overlap = 'skip') =>
    rowsOf({ ...appOf('report', status), job: { overlap } })[0];
  const rows = [
    ['run-now', jobOf('waiting'), 'Run report?', /outside its schedule/],
    ['run-now', jobOf('online', 'replace'), 'Run report?', /run in progress is stopped/],
    ['stop', jobOf('waiting'), 'Stop report?', /no longer runs on its schedule/],
    ['stop', jobOf('stopped'), 'Start report?', /runs on its schedule/],
    ['delete', jobOf('waiting'), 'Delete report?', /no longer listed/],
  ];
  for (const [action, of, title, text] of rows) {
    t.match(confirmationFor(action, of), { title, text, target: 'report' }, title);
  }
  for (const action of ['reload', 'restart', 'more', 'fewer']) {
    t.equal(confirmationFor(action, jobOf('waiting')), null, `${action} does not apply`);
  }
  t.equal(confirmationFor('run-now', rowsOf(api)[0]), null, 'it is not a job');
});

t.test('the number of workers stays in its range, and never falls below 1', async (t) => {
  const [row] = rowsOf(api);
  const least = { scale: { to: 1 }, options: { instances: '1' } };
  t.match(changeScale(confirmationFor('more', row), -9), least);
  const [scaled] = rowsOf({ ...api, autoscaling: { min: 2, max: 3, elu: 0.8 } });
  const more = confirmationFor('more', scaled);
  t.match(more, { text: /keeps scaling itself between 2 and 3/, scale: { from: 2, to: 3 } });
  t.match(changeScale(more, 1), { scale: { to: 3 } });
  t.match(changeScale(more, -5), { scale: { to: 2 } });
  const other = confirmationFor('stop', row);
  t.equal(changeScale(other, 1), other);
});

t.test('j and k choose the worker on the page of an app', async (t) => {
  const on = (hash) => stateWith({ route: parseRoute(hash) });
  t.match(press(on('#/app/api'), 'j').effects, [{ do: 'go', link: '#/app/api/0' }]);
  t.match(press(on('#/app/api/0'), 'k').effects, [{ do: 'go', link: '#/app/api' }]);
  t.same(press(on('#/app/api/1'), 'j').effects, [], 'it is the last one');
  t.same(press(on('#/app/cron'), 'j').effects, [], 'there is only one');
});

t.test('views', async (t) => {
  t.match(press(stateWith(), 'j', 'd').effects, [{ do: 'go', link: '#/app/api' }]);
  t.match(press(stateWith(), 'j', 'l').effects, [{ do: 'go', link: '#/logs/api/0' }]);
  t.match(press(stateWith(), 'e').effects, [{ do: 'go', link: '#/events' }]);
  t.match(press(stateWith(), '/').effects, [{ do: 'focus', id: 'filter' }]);
  const logs = stateWith({ route: parseRoute('#/logs') });
  t.match(press(logs, '/').effects, [{ do: 'focus', id: 'search' }]);
  t.match(press(logs, 'q').effects, [{ do: 'go', link: '#/' }]);
  const searched = stateWith({ route: parseRoute('#/app/cron?search=timeout') });
  t.match(press(searched, 'l').effects, [{ do: 'go', link: '#/logs/cron' }], 'without a search');
  t.equal(press(stateWith(), '?').state.isHelpOpen, true);
  t.equal(press(stateWith({ filter: 'x' }), 'Escape').state.filter, '');
});
