/** A worker whose event loop is blocked cannot drain, so it is not given all of drain_timeout. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { startedPrimary } from '../../primary-under-test.js';

// Each waits most of the time until a silence has been long enough: they do so together.
t.jobs = 4;

/** Longer than a test may take. */
const FOR_EVER = 600_000;
/** Where it is blocked may have been found by then. */
const cleanReason = ({ reason = '' }) =>
  reason.replace(/for \d+s( in \(anonymous\) \(.*?\))?/, 'for Ns');
const BLOCKED = /^event loop blocked for \d+s/;

const blockable = async (t, change) => {
  const primary = await startedPrimary(t, 'blocks-on-demand.cjs', {
    drainTimeoutMs: FOR_EVER,
    ...change,
  });
  const file = join(primary.paths.home, 'awake');
  const wake = () => writeFileSync(file, '');
  t.teardown(wake);
  return {
    primary,
    wake,
    path: `/block?${file}`,
    block: () => ask(primary.port, `/block?${file}`),
  };
};
const untilUnresponsive = (primary) =>
  primary.when(({ slots }) => slots.some(isUnresponsive), 'a worker to be unresponsive');
const isUnresponsive = ({ status }) => status === 'unresponsive';

for (const command of ['stop', 'restart', 'reload']) {
  t.test(`${command}: an unresponsive worker has kill_timeout to recover`, async (t) => {
    const { primary, block } = await blockable(t, { killTimeoutMs: 1000 });
    const { pid } = await block();
    await untilUnresponsive(primary);
    const said = [];
    const outcome = await primary.ask(command, {}, (progress) => {
      if (progress.pid === pid) said.push(progress);
    });
    t.match(outcome, { ok: true, done: [0] });
    t.match(said, [{ kind: 'draining' }, { kind: 'stopping' }, { kind: 'stopped' }]);
    t.matchSnapshot(said.map(cleanReason), 'reasons');
    const [{ status, lastExit, restarts }] = (await primary.state()).slots;
    t.same([lastExit, restarts], [null, 0], 'its end was wanted');
    t.equal(status, command === 'stop' ? 'stopped' : 'online');
  });
}

t.test('a worker that blocks while it drains is not waited for either', async (t) => {
  const { primary, path } = await blockable(t, { killTimeoutMs: 0 });
  const unfinished = connect(primary.port, '127.0.0.1');
  t.teardown(() => unfinished.destroy());
  await once(unfinished, 'connect');
  unfinished.write(`GET ${path} HTTP/1.1\r\n`);
  await ask(primary.port);
  const said = [];
  const outcome = await primary.ask('stop', {}, (progress) => {
    said.push(progress);
    if (progress.kind === 'draining') unfinished.write('Host: localhost\r\n\r\n');
  });
  t.match(outcome, { ok: true });
  t.notOk(said[0].reason);
  t.match(said.slice(-2), [{ kind: 'stopping', reason: BLOCKED }, { kind: 'stopped' }]);
});

t.test('a worker that recovers drains, and loses nothing', async (t) => {
  const { primary, block, wake } = await blockable(t, { killTimeoutMs: FOR_EVER });
  await block();
  const waiting = ask(primary.port);
  await untilUnresponsive(primary);
  const said = [];
  const outcome = primary.ask('stop', {}, ({ kind, reason }) => {
    said.push([kind, reason]);
    if (kind === 'draining' && reason) wake();
  });
  t.match(await outcome, { ok: true, longLivedCut: 0 });
  t.type((await waiting).pid, 'number');
  t.match(said.at(0), ['draining', BLOCKED]);
  t.match(said.slice(-2), [
    ['stopping', undefined],
    ['stopped', undefined],
  ]);
});
