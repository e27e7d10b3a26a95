import t from 'tap';
import { makeLineFormat } from '../../../src/shared/log-files/log-line.js';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const SOURCE = /** @type {const} */ ({ app: 'api', worker: 3, stream: 'error' });
const style = (/** @type {object} */ changes) =>
  makeLineFormat({ type: 'text', time: true, dateFormat: null, ...changes });

t.test('a line of text carries its time and its worker', async (t) => {
  const format = style({});
  t.equal(
    format.write(Buffer.from('one\n\ntwo\n'), SOURCE, AT).toString(),
    '2026-01-02T03:04:05.006Z api:3 | one\n' +
      '2026-01-02T03:04:05.006Z api:3 | \n' +
      '2026-01-02T03:04:05.006Z api:3 | two\n',
  );
  t.equal(
    style({ time: false }).write(Buffer.from('one\n'), SOURCE, AT).toString(),
    'api:3 | one\n',
  );
});

t.test('whatever bytes a program writes stay as they are', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => (index === 10 ? 13 : index)));
  const line = Buffer.concat([bytes, Buffer.from('$& $1 ä€𝄞\n')]);
  const written = style({ time: false, dateFormat: '[$&] YYYY' }).write(line, SOURCE, AT);
  t.same(written, Buffer.concat([Buffer.from('api:3 | '), line]));
  t.same(style({ type: 'raw' }).write(line, SOURCE, AT), line);
});

t.test('every format reads what it has written', async (t) => {
  for (const [changes, knows] of /** @type {[object, object][]} */ ([
    [{}, { time: AT, app: 'api', worker: 3 }],
    [{ time: false }, { app: 'api', worker: 3 }],
    [{ dateFormat: 'DD/MM/YYYY HH:mm:ss.SSS' }, { time: AT, app: 'api', worker: 3 }],
    [{ type: 'json' }, { time: AT, app: 'api', worker: 3, stream: 'error' }],
    [
      { type: 'json', dateFormat: 'YYYY-MM-DD HH:mm' },
      { time: AT - 5006, stream: 'error' },
    ],
    [{ type: 'raw' }, { app: null, worker: null }],
  ])) {
    const format = style(changes);
    for (const message of ['said', '', ' |+ + | a:1 | ', '{"time":"now"}', 'ä\t"\\']) {
      for (const goesOn of [false, true]) {
        const lines = Buffer.from(`${message}\nnext\n`);
        const [first, second, rest] = format
          .write(lines, SOURCE, AT, goesOn)
          .toString()
          .split('\n');
        t.match(
          format.read(first),
          { ...knows, message, goesOn },
          JSON.stringify([changes, first]),
        );
        t.match(format.read(second), { ...knows, message: 'next', goesOn: false });
        t.equal(rest, '');
      }
    }
  }
});

t.test("nodecluster's own lines belong to no worker", async (t) => {
  for (const type of ['text', 'json']) {
    const format = style({ type });
    const line = format.writeOwn('api', 'disk full', AT).toString().slice(0, -1);
    const read = { time: AT, app: 'api', worker: null, message: '[nodecluster] disk full' };
    t.match(format.read(line), read);
  }
  t.equal(style({ type: 'raw' }).writeOwn('api', 'so', AT).toString(), '[nodecluster] so\n');
});

t.test('what is not of the format is all message', async (t) => {
  const unknown = { time: null, app: null, worker: null, stream: null, goesOn: false };
  for (const line of ['', 'GET / 200', 'GET | x', 'a b:1 | c', '{"message":"x"}', '{"a', 'null']) {
    t.same(style({}).read(line), { ...unknown, message: line });
    t.same(style({ type: 'json' }).read(line), { ...unknown, message: line });
  }
});

t.test('JSON of another source is all message', async (t) => {
  const { read } = makeLineFormat({ type: 'json', time: true, dateFormat: null });
  const line = { time: null, app: 'api', worker: 0, stream: 'out', message: 'm' };
  t.match(read(JSON.stringify(line)), { app: 'api', worker: 0, message: 'm' });
  const odd = [{ app: '\u001b[2J' }, { worker: '\u001b[2J' }, { worker: 0.5 }, { stream: {} }];
  for (const each of odd) {
    const text = JSON.stringify({ ...line, ...each });
    t.match(read(text), { app: null, worker: null, stream: null, message: text });
  }
});

t.test('lines with and without time may stand in one file', async (t) => {
  const [line] = style({}).write(Buffer.from('x\n'), SOURCE, AT).toString().split('\n');
  t.match(style({ time: false }).read(line), { time: AT, message: 'x' });
  t.match(style({}).read('api:0 | x'), { time: null, app: 'api', message: 'x' });
});

t.test('lines of text and of JSON may stand in one file', async (t) => {
  for (const [was, is] of [
    ['text', 'json'],
    ['json', 'text'],
  ]) {
    const line = style({ type: was }).write(Buffer.from('said\n'), SOURCE, AT).toString();
    const read = style({ type: is }).read(line.trimEnd());
    t.match(read, { time: AT, app: 'api', worker: 3, message: 'said' }, `${was}, then ${is}`);
  }
});
