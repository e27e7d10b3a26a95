import t from 'tap';
import { EventEmitter } from 'node:events';
import { readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { methodsOf } from '../../src/daemon/control/methods.js';
import { publishEvents } from '../../src/daemon/events.js';
import { openLog } from '../../src/daemon/log.js';
import { until } from '../support/until.js';

const records = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

t.test('a line is a JSON object with time, level, event, daemon and fields', async (t) => {
  const file = path.join(t.testdir(), 'daemon.log');
  const log = openLog(file);
  log.info('daemon.started', { node: 'v20' });
  log.of({ app: 'api' }).error('worker.exited', { slot: 1, reason: 'two\nlines' });
  const found = records(file);
  t.match(found, [
    { level: 'info', event: 'daemon.started', node: 'v20' },
    { level: 'error', event: 'worker.exited', app: 'api', slot: 1, reason: /two\nlines/ },
  ]);
  for (const line of found) t.match(line, { time: /^\d{4}-.*Z$/, daemon: process.pid });
  t.equal(statSync(file).mode & 0o777, 0o600);
});

t.test('a line that was cut off, as by a power cut, does not swallow the next one', async (t) => {
  const file = path.join(t.testdir({ 'daemon.log': '{"time":"2026-11' }), 'daemon.log');
  openLog(file).info('daemon.started');
  openLog(file).info('daemon.exited');
  t.match(readFileSync(file, 'utf8'), /^\{"time":"2026-11\n\{.*started.*\}\n\{.*exited.*\}\n$/);
});

t.test('the log is rotated and the newest files are kept', async (t) => {
  const folder = t.testdir();
  const log = openLog(path.join(folder, 'daemon.log'));
  const names = () => readdirSync(folder).filter((name) => name !== 'daemon.log');
  await until(() => {
    if (names().includes('daemon.log.000005')) return true;
    for (let lines = 0; lines < 100; lines++) log.info('x', { text: 'x'.repeat(16_000) });
    return false;
  }, 'the fifth rotation');
  const kept = [2, 3, 4, 5].map((number) => `daemon.log.00000${number}`).join(' ');
  await until(() => names().join(' ') === kept, 'the older ones to be removed');
  t.ok(statSync(path.join(folder, 'daemon.log.000005')).size > 4_000_000);
});

t.test('a line that is too long is truncated', async (t) => {
  const file = path.join(t.testdir(), 'daemon.log');
  openLog(file).info('command', { app: 'api', selectors: 'x'.repeat(100_000) });
  t.match(records(file), [{ event: 'command', app: 'api', cut: /^\{"time"/ }]);
  t.ok(statSync(file).size < 40_000);
});

t.test('lines that cannot be written are counted in the next line', async (t) => {
  const file = path.join(t.testdir(), 'daemon.log');
  const log = openLog(file);
  symlinkSync('missing/daemon.log', file);
  log.info('one');
  log.info('two');
  t.match(log.lost(), { lines: 2, since: /^\d{4}-.*Z$/, reason: 'ENOENT' });
  rmSync(file);
  log.info('three');
  const [lost, next] = records(file);
  t.match(lost, { event: 'log.lost', lines: 2, reason: 'ENOENT' });
  t.ok(lost.since <= lost.time);
  t.match(next, { event: 'three' });
  t.equal(log.lost(), null);
});

t.test('commands are logged, also refused ones; queries are not', async (t) => {
  const file = path.join(t.testdir(), 'daemon.log');
  const ctx = { peer: { role: 'cli', version: '1' } };
  const daemon = { log: openLog(file), isEnding: true, features: { methods: {}, ask: () => [] } };
  const methods = methodsOf(daemon, async () => {});
  const queries = ['list', 'env', 'log-files', 'watch', 'events'];
  for (const method of [...queries, 'stop']) {
    await t.rejects(methods[method]({}, ctx), { code: 'E_DAEMON_ENDING' }, method);
  }
  t.match(records(file), [
    { event: 'command', method: 'stop', from: 'cli 1' },
    { event: 'command.refused', method: 'stop', code: 'E_DAEMON_ENDING' },
  ]);
  t.equal(records(file).length, 2);
});

t.test('the start of a worker has its own time, however late it is known', async (t) => {
  const file = path.join(t.testdir(), 'daemon.log');
  const app = Object.assign(new EventEmitter(), { name: 'api', link: {} });
  const features = { levels: new Map() };
  publishEvents({ events: { publish() {} }, features, log: openLog(file) }, app);
  const at = Date.now() - 5000;
  app.emit('event', { type: 'worker.starting', at, slot: 0, pid: 7, generation: 1 });
  t.match(records(file), [{ event: 'worker.started', time: new Date(at).toISOString(), pid: 7 }]);
});
