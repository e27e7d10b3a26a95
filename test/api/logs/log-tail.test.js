import t from 'tap';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followLog } from '../../../src/api/logs/merged-logs.js';
import { until } from '../../support/until.js';

function logOf(t) {
  const folder = t.testdir();
  const path = join(folder, 'api-out.log');
  const app = {
    name: 'api',
    slots: null,
    style: { type: 'text', time: false, dateFormat: null },
    files: [{ slot: null, out: [path], error: [] }],
  };
  const ending = new AbortController();
  const shown = [];
  const options = { filter: { stream: null, grep: null }, pastLines: 100, accepts: () => true, warn: () => {} };
  const show = (entries) => shown.push(...entries);
  const follow = () => followLog([app], show, ending.signal, options);
  return { path, app, shown, follow, end: () => ending.abort() };
}

const lines = (from, count) =>
  Array.from({ length: count }, (_, index) => `api:1 | line ${from + index}\n`).join('');

t.test('the end of what is there, and what comes', async (t) => {
  const { path, shown, follow, end } = logOf(t);
  writeFileSync(path, lines(0, 5000));
  const followed = follow();
  await until(() => shown.length > 0, 'the first lines');
  t.equal(shown.length, 100);
  t.match(shown.at(-1), { worker: 1, message: 'line 4999', stream: 'out' });
  appendFileSync(path, lines(5000, 2));
  await until(() => shown.length === 102, 'what was written since');
  t.equal(shown.at(-1).message, 'line 5001');
  end();
  await followed;
});

t.test('of what comes faster than anybody reads, the newest', async (t) => {
  const { path, shown, follow, end } = logOf(t);
  writeFileSync(path, '');
  const followed = follow();
  const many = 200_000;
  appendFileSync(path, lines(0, many));
  await until(() => shown.at(-1)?.message === `line ${many - 1}`, 'the last line');
  t.ok(shown.length < 10_000, `${shown.length} of ${many} were looked at`);
  end();
  await followed;
});

t.test('a file that is not there yet', async (t) => {
  const { path, shown, follow, end } = logOf(t);
  rmSync(path, { force: true });
  mkdirSync(join(path, '..'), { recursive: true });
  const followed = follow();
  appendFileSync(path, lines(0, 1));
  await until(() => shown.length === 1, 'its first line');
  end();
  await followed;
});

t.test('no line twice, also after lines that were skipped', async (t) => {
  const { path, shown, follow, end, app } = logOf(t);
  app.style.time = true;
  const from = Date.parse('2026-03-01T12:00:00.000Z');
  const timed = (first, count) =>
    lines(first, count).replaceAll(
      /^(?=api:1 \| line (\d+)$)/gm,
      (_, number) => `${new Date(from + Number(number)).toISOString()} `,
    );
  writeFileSync(path, timed(0, 5));
  const followed = follow();
  await until(() => shown.length === 5, 'the first lines');
  appendFileSync(path, timed(5, 1050));
  await until(() => shown.at(-1)?.message === 'line 1054', 'the last line');
  appendFileSync(path, timed(1055, 1));
  await until(() => shown.at(-1)?.message === 'line 1055', 'the next line');
  t.equal(new Set(shown.map(({ message }) => message)).size, shown.length);
  end();
  await followed;
});
