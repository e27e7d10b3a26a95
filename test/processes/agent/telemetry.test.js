/** What a worker measures of itself, as long as its primary asks. */
import { connect } from 'node:http2';
import net from 'node:net';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startedPrimary } from '../primary-under-test.js';
import { NODE } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { eventOf, until, within } from '../../support/until.js';

const LEASE = { leaseMs: 60_000 };

async function reportOf(primary, order = LEASE) {
  return (await primary.ask('telemetry', order)).workers[0]?.report;
}

const sum = (counts) => counts.reduce((total, count) => total + count, 0);

t.test('counts requests and errors of HTTP/1, and the program cannot see it', async (t) => {
  const primary = await startedPrimary(t, 'watched.cjs');
  const before = await ask(primary.port, '/');
  const first = await until(() => reportOf(primary), 'a report');
  t.match(first, { requests: 1, errors: 0, heapUsed: Number, heapTotal: Number });
  const during = await ask(primary.port, '/');
  t.same(during.keys, before.keys, 'nothing more on the response');
  t.equal(during.listeners, before.listeners);
  for (const path of ['/404', '/500', '/503']) await ask(primary.port, path);
  const report = await until(async () => {
    const last = await reportOf(primary);
    return last.requests === 5 && last;
  }, 'five requests to be counted');
  t.equal(report.errors, 2);
  const timed = sum(report.latency.counts);
  t.ok(timed >= 2 && timed <= 5, 'requests in quick succession need not all be timed');
  t.same(report.lastMinute, report.latency.counts);
  t.ok(report.latency.sumMs > 0);
  t.ok(report.activeMs > first.activeMs);
});

t.test('counts the streams of HTTP/2, including those of open sessions', async (t) => {
  const primary = await startedPrimary(t, 'http2-pid.cjs');
  const client = connect(`http://127.0.0.1:${primary.port}`);
  t.teardown(() => client.close());
  const request = async () => {
    const stream = client.request({ ':path': '/' });
    const ended = eventOf(stream, 'close');
    stream.resume().end();
    await ended;
  };
  await request();
  await until(() => reportOf(primary), 'a report');
  await request();
  await request();
  const report = await until(async () => {
    const last = await reportOf(primary);
    return last.requests === 3 && last;
  }, 'three requests to be counted');
  t.ok(sum(report.latency.counts) >= 2);
  t.same(report.lastMinute, report.latency.counts);
  t.equal(report.connections, 1);
});

t.test('open connections, with and without a lease, which no shorter one shortens', async (t) => {
  const primary = await startedPrimary(t, 'watched.cjs');
  const isTimed = async () => {
    await ask(primary.port);
    const { workers } = await primary.ask('telemetry', { leaseMs: 0 });
    return sum(workers[0]?.report.lastMinute ?? []) >= 3;
  };
  await until(isTimed, 'requests to be timed without a lease');
  const sockets = [net.connect(primary.port), net.connect(primary.port)];
  t.teardown(() => sockets.map((socket) => socket.destroy()));
  const areCounted = async () => (await reportOf(primary)).connections === 2;
  t.ok(await until(areCounted, 'those without a request to be counted'));
  const isMeasured = async () => sum((await reportOf(primary, { leaseMs: 1 })).delay.counts) >= 3;
  t.ok(await until(isMeasured, 'the delay to be measured'));
});

t.test('a blocked worker delays no reply, and reports its delay afterwards', async (t) => {
  const primary = await startedPrimary(t, 'blocks-on-demand.cjs');
  await until(() => reportOf(primary), 'a report');
  const file = join(primary.paths.home, 'goes-on');
  await ask(primary.port, `/block?${file}`);
  const asked = performance.now();
  let blockedMs = 0;
  // What is shorter than the intervals of its timer may not be seen.
  for (; blockedMs < 1000; blockedMs = performance.now() - asked) {
    if (!(await within(reportOf(primary), 'what is known of it'))) t.fail('no report before');
  }
  t.notOk(existsSync(file));
  writeFileSync(file, '');
  const isLate = async () => (await reportOf(primary)).delay.maxMs >= blockedMs / 2;
  t.ok(await until(isLate, 'its delay'));
});

t.test('a program without an agent has no report', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { execMode: 'fork', interpreter: NODE });
  t.same(await primary.ask('telemetry', LEASE), { workers: [] });
});
