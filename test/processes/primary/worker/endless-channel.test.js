/** A worker that writes to its channel without end does not fill its primary. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startLoad } from '../../../support/http-load.js';
import { startedPrimary } from '../../primary-under-test.js';

const MB = 1024 ** 2;

/** @returns the most memory that it has had, in bytes */
function peakOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

const cases = [
  {
    what: 'one message that never ends',
    text: 'x',
    reason: 'sent its parent a message of more than 16 MB',
  },
  {
    what: 'requests whose replies it never reads',
    text: '{"cmd":"NODE_SOCKET_GET_COUNT","key":"a"}\n',
    reason: 'did not read 10000 replies from its parent',
  },
];

for (const { what, text, reason } of cases) {
  t.test(what, { skip: process.platform !== 'linux' }, async (t) => {
    const primary = await startedPrimary(t, 'sends-without-end.cjs', { instances: 2 });
    const before = peakOf(primary.child.pid);
    const load = startLoad(t, { port: primary.port, clients: 2, keepAlive: false });
    const file = join(t.testdir({}), 'written');
    await primary.ask('send', { slots: [0], message: { fill: file, text } });
    const exit = await primary.when(({ slots: [slot] }) => slot.lastExit, 'its exit');
    t.match(exit, { signal: 'SIGKILL', reason });
    await load.answers(20);
    t.match(await load.stop(), { failed: 0, failures: [] });
    const written = Number(readFileSync(file, 'utf8'));
    const grown = peakOf(primary.child.pid) - before;
    t.comment(`${Math.round(written / MB)} MB written, peak ${Math.round(grown / MB)} MB more`);
    t.ok(written < 1024 * MB, 'it does not get to the end');
    t.ok(grown < 128 * MB, 'a part of the gigabyte');
    t.match((await primary.state()).slots[1], { status: 'online', restarts: 0 });
  });
}
