import t from 'tap';
import { filesToRead, sourcesOf } from '../../../src/api/logs/log-source.js';

const style = { type: 'text', time: true, dateFormat: null };
const app = (more = {}) => ({
  name: 'api',
  slots: null,
  style,
  files: [{ slot: null, out: ['/l/out'], error: ['/l/err'] }],
  ...more,
});
const all = { stream: null, grep: null };
const TIME = '2026-03-01T12:00:00.000Z';

t.test('no line is read twice', async (t) => {
  for (const [out, error, wanted, files] of [
    [['/o'], ['/e'], null, ['/o out', '/e error']],
    [['/o'], ['/e'], 'error', ['/e error']],
    [['/o'], ['/e'], 'out', ['/o out']],
    [['/all'], ['/all'], null, ['/all null']],
    [['/all'], ['/all'], 'out', ['/all null']],
    [['/all'], ['/e', '/all'], null, ['/all null']],
    [['/all'], ['/e', '/all'], 'error', ['/e error']],
    [['/o', '/all'], ['/e', '/all'], null, ['/o out', '/e error']],
    [[], ['/e'], null, ['/e error']],
    [[], [], null, []],
    [[], ['/e'], 'out', []],
  ]) {
    const found = filesToRead({ out, error }, wanted).map(
      ({ path, stream }) => `${path} ${stream}`,
    );
    t.same(found, files, `${out} | ${error} | ${wanted}`);
  }
});

t.test('what a line says, completed by what its file says', async (t) => {
  const [out, error] = sourcesOf([app()], all);
  const line = { time: Date.parse(TIME), app: 'api', worker: 2, stream: 'out', message: 'hello' };
  t.match(out.read(`${TIME} api:2 | hello`), line);
  t.match(error.read('not our format'), { app: 'api', worker: null, stream: 'error', time: null });
  const files = [{ slot: 3, out: ['/o'], error: [] }];
  const raw = app({ style: { ...style, type: 'raw' }, files });
  t.match(sourcesOf([raw], all)[0].read('x'), { app: 'api', worker: 3, message: 'x' });
});

t.test('which lines are accepted', async (t) => {
  const [source] = sourcesOf([app({ slots: [1] })], { stream: 'out', grep: /boom$/i });
  const accepts = (line) => source.accepts(source.read(line));
  t.ok(accepts(`${TIME} api:1 | big BOOM`));
  t.notOk(accepts(`${TIME} api:2 | big boom`), 'another worker');
  t.notOk(accepts(`${TIME} api:1 | boom or not`), 'no match');
  t.notOk(accepts(`${TIME} other:1 | boom`), 'another app in the same file');
  t.ok(accepts(`${TIME} api:1 | \u001b[31mbo\u001b[0mom`), 'colours are ignored');
  t.ok(accepts('boom'), 'its worker is unknown');
});

t.test('a file whose lines name their stream', async (t) => {
  const files = [{ slot: null, out: ['/all'], error: ['/all'] }];
  const json = app({ style: { ...style, type: 'json' }, files });
  const [source] = sourcesOf([json], { stream: 'error', grep: null });
  const line = (stream) =>
    JSON.stringify({ time: TIME, app: 'api', worker: 0, stream, message: '' });
  t.ok(source.accepts(source.read(line('error'))));
  t.notOk(source.accepts(source.read(line('out'))));
});

t.test('apps that share a file', async (t) => {
  const other = app({ name: 'web', slots: [0] });
  const sources = sourcesOf([app(), other], all);
  t.equal(sources.length, 2);
  const accepts = (line) => sources[0].accepts(sources[0].read(line));
  t.ok(accepts(`${TIME} api:4 | x`));
  t.ok(accepts(`${TIME} web:0 | x`));
  t.notOk(accepts(`${TIME} web:1 | x`));
  const both = { slot: null, out: ['/l/out'], error: ['/l/out'] };
  for (const apps of [
    [app(), app({ name: 'web', files: [both] })],
    [app({ name: 'web', files: [both] }), app()],
  ]) {
    const [{ read }] = sourcesOf(apps, all);
    t.equal(read(`${TIME} api:0 | x`).stream, 'out');
    t.equal(read(`${TIME} web:0 | x`).stream, null, 'unknown for that app');
  }
});
