/** How a source file looks: its name, its size, and what only a process's main may do. */
import t from 'tap';
import { basename } from 'node:path';
import { read, shippedSources, withoutComments } from '../support/sources.js';

const MOST_LINES = 250;
/** Data tables: a list is as long as what it lists. */
const TABLES = /^src\/config\/options(\.js|\/)/;
const MAIN = /^(bin\/.*|src\/\w+\/main\.c?js)$/;

const sources = shippedSources();

/** @param {(path: string, code: string) => boolean} wrong */
const where = (wrong) => sources.filter((path) => wrong(path, withoutComments(read(path))));

t.test('no file is a barrel or a heap', async (t) => {
  t.same(
    sources.filter((path) => /^(utils?|helpers?|common|misc|index)\b/.test(basename(path))),
    [],
  );
  t.same(
    where((_path, code) => {
      const lines = code.split('\n').filter((line) => line.trim());
      return lines.length > 0 && lines.every((line) => /^export .* from /.test(line));
    }),
    [],
  );
});

t.test(`no file is longer than ${MOST_LINES} lines, except the tables`, async (t) => {
  t.same(
    sources.filter(
      (path) => !TABLES.test(path) && read(path).trimEnd().split('\n').length > MOST_LINES,
    ),
    [],
  );
});

t.test('only a main ends its process or speaks on the console', async (t) => {
  t.same(
    where((path, code) => !MAIN.test(path) && /\bprocess\.exit|\bconsole\./.test(code)),
    [],
  );
});

t.test('lifecycle knows no clock and no process', async (t) => {
  t.same(
    where(
      (path, code) =>
        path.startsWith('src/lifecycle/') &&
        /\bDate\b|\bperformance\b|\bset(Timeout|Interval|Immediate)\b|\bprocess\./.test(code),
    ),
    [],
  );
});

t.test('no deadline counts on a clock that can be set', async (t) => {
  t.same(
    where(
      (path, code) =>
        /^src\/(daemon|primary|protocol|shared)\//.test(path) &&
        /Date\.now\(\)\s*[-+<>]|[-+<>]=?\s*Date\.now\(\)/.test(code),
    ),
    [],
  );
});

t.test('the code of protocol knows no word of the domain; its types do', async (t) => {
  t.same(
    where(
      (path, code) =>
        path.startsWith('src/protocol/') && /\b(worker|reload|slot|generation|app)s?\b/i.test(code),
    ),
    [],
  );
});

t.test('nothing is left to do later', async (t) => {
  t.same(
    sources.filter((path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(read(path))),
    [],
  );
});
