import t from 'tap';
import { NodeclusterError } from '../../../src/errors/error.js';
import { linesOf } from '../../../src/cli/terminal/watch-table.js';
import { commandWith } from '../fake-context.js';
import { app, worker } from '../monit/monit-under-test.js';

const look = { width: 60, colours: false };
const many = Array.from({ length: 30 }, (_, slot) => worker(slot));

t.test('a table that fits', async (t) => {
  const lines = linesOf([app('api', [worker(0)])], null, look, 24);
  t.match(lines, [/^id/, /^ 0 {2}api/, /^$/, /^q ends it$/]);
});

t.test('of one that does not fit, as much as there is room for', async (t) => {
  const lines = linesOf([app('api', many)], null, look, 10);
  t.equal(lines.length, 10);
  t.match(lines[6], /^ 4 {2}/);
  t.equal(lines[7], '… 25 rows more');
  for (const rows of [1, 2, 3]) t.ok(linesOf([app('api', many)], null, look, rows).length <= rows);
});

t.test('the daemon is gone', async (t) => {
  t.match(linesOf([], 'It is gone; reconnecting …', look, 24).at(-1), /reconnecting/);
});

t.test('a home without apps says how to start, and --json has no place beside it', async (t) => {
  const { printed, run } = await commandWith('ls --watch', { daemon: null });
  t.equal(await run(), 0);
  t.match(printed[0], /nodecluster start/);
  await t.rejects((await commandWith('ls --watch --json')).run(), { code: 'E_USAGE' });
});

t.test('a table after the other, as they are read, until nobody reads any more', async (t) => {
  const { context, run } = await commandWith('ls --watch', {
    daemon: {
      watch: (_params, notify) =>
        new Promise((_resolve, reject) => {
          context.daemons.close = () =>
            reject(new NodeclusterError('E_PROTOCOL_CLOSED', { method: 'watch' }));
          for (let frame = 0; frame < 3; frame += 1) notify({ apps: [one] }, 'frame');
        }),
    },
  });
  const one = app('api', [worker(0)]);
  const written = [];
  context.tty = null;
  context.write = async (text) => written.push(text) < 1;
  t.equal(await run(), 0);
  t.equal(written.length, 1, 'what came while it was written is left out');
  t.match(written[0], /^id .*\n.*api/);
});
