import t from 'tap';
import { renderNotes, renderTable } from '../../../src/cli/render/table.js';

const wide = { width: 200, colours: false };

function worker(id, more = {}) {
  return {
    ...{ id, slot: id, pid: 4000 + id, status: 'online', cpu: 3.14, memory: 43_201_331 },
    ...{ uptimeMs: 185_000, restarts: 0, generation: 1, ...more },
  };
}

function app(name, workers, more = {}) {
  return { name, namespace: 'default', status: 'online', mode: 'cluster', workers, ...more };
}

const two = [app('api', [worker(0), worker(1, { status: 'backoff', pid: null, cpu: null })])];

t.test('a row for each worker', async (t) => {
  t.equal(
    renderTable(two, wide),
    [
      'id  name  mode      pid  status   uptime  restarts   cpu  memory',
      ' 0  api   cluster  4000  online    3m 5s         0  3.1%   41.2M',
      ' 1  api   cluster     -  backoff   3m 5s         0     -   41.2M',
    ].join('\n'),
  );
});

t.test('an unresponsive worker is shown with for how long', async (t) => {
  const blocked = worker(0, { status: 'unresponsive', blockedMs: 12_400 });
  const [, row] = renderTable([app('api', [blocked])], wide).split('\n');
  t.match(row, / unresponsive 12s {2}/);
});

t.test('an app without workers has a row', async (t) => {
  const table = renderTable([app('idle', [], { status: 'stopped' })], wide);
  t.match(table, /^ -\s+idle\s+cluster\s+-\s+stopped(\s+-)+$/m);
});

t.test('the namespace is shown where there is more than one', async (t) => {
  t.notMatch(renderTable(two, wide), /namespace|default/);
  const table = renderTable([...two, app('web', [worker(2)], { namespace: 'shop' })], wide);
  t.match(table, /namespace/);
  t.match(table, /shop/);
});

const widths = [
  [200, ['id', 'name', 'mode', 'pid', 'status', 'uptime', 'restarts', 'cpu', 'memory']],
  [80, ['id', 'name', 'mode', 'pid', 'status', 'uptime', 'restarts', 'cpu', 'memory']],
  [60, ['id', 'name', 'pid', 'status', 'uptime', 'restarts', 'cpu', 'memory']],
  [40, ['id', 'name', 'pid', 'status', 'cpu', 'memory']],
  [20, ['id', 'name', 'status']],
];

for (const [width, headings] of widths) {
  t.test(`${width} columns show what matters most and no line is longer`, async (t) => {
    const lines = renderTable(two, { width, colours: false }).split('\n');
    t.same(lines[0].trim().split(/\s+/), headings);
    for (const line of lines) t.ok(line.length <= width, `${line.length}: ${line}`);
  });
}

t.test('a long name is cut where the width is short, never on a pipe', async (t) => {
  const name = 'x'.repeat(64);
  const apps = [app(name, [worker(0)])];
  for (const line of renderTable(apps, { width: 40, colours: false }).split('\n')) {
    t.ok(line.length <= 40, line);
  }
  t.match(renderTable(apps, { width: 40, colours: false }), /x…/);
  t.ok(renderTable(apps, { width: null, colours: false }).includes(name));
});

t.test('colours only where they are wanted', async (t) => {
  t.notMatch(renderTable(two, { width: null, colours: false }), '\u001b');
  const coloured = renderTable(two, { width: 80, colours: true });
  t.match(coloured, '\u001b[32monline\u001b[39m');
  t.match(coloured, '\u001b[31mbackoff\u001b[39m');
});

t.test('colours do not shift the columns', async (t) => {
  // eslint-disable-next-line no-control-regex -- takes the colours out
  const bare = renderTable(two, { width: 80, colours: true }).replace(/\u001b\[\d+m/g, '');
  t.same(
    bare.split('\n').map((line) => line.trimEnd()),
    renderTable(two, { width: 80, colours: false }).split('\n'),
  );
});

t.test('an empty list says how to start', async (t) => {
  t.match(renderTable([], wide), /nodecluster start app\.js/);
});

t.test('names from elsewhere cannot command the terminal', async (t) => {
  t.notMatch(renderTable([app('\u001b[2J', [worker(0)])], wide), '\u001b');
});

t.test('notes say why a worker is not online', async (t) => {
  const reason = 'exit code 1\u0007';
  const apps = [app('api', [worker(0), worker(1, { status: 'errored', reason })], { note: 'odd' })];
  t.same(renderNotes(apps, wide), ['api: odd', 'api:1 is errored: exit code 1\\x07']);
  const noteOf = (status) =>
    renderNotes([app('api', [worker(0, { status, reason: 'code 1' })])], wide);
  t.same(noteOf('starting'), ['api:0 is starting; last ended: code 1']);
  t.same(noteOf('backoff'), ['api:0 is in backoff; last ended: code 1']);
  t.same(noteOf('unresponsive'), ['api:0 is unresponsive: code 1'], 'it has not ended');
});
