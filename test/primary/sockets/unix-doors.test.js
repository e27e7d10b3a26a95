import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { until, within } from '../../support/until.js';
import { specOf, startPrimary } from '../primary-under-test.js';

const ask = (socketPath) =>
  within(
    new Promise((resolve, reject) => {
      const asked = http.get({ socketPath, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text) => (body += text));
        response.on('end', () => resolve(JSON.parse(body)));
      });
      asked.on('error', reject);
    }),
    'an answer',
  );
const reached = (path) => until(() => ask(path), `an answer at ${path}`);

t.test('a program that unlinks its unix socket first stays reachable', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nc-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const SOCKET = join(folder, 'app.sock');
  const spec = await specOf('unlinks-its-socket.cjs', { instances: 2, env: { SOCKET } });
  const primary = await startPrimary(t, spec);
  t.match(await primary.ask('start'), { ok: true, done: [0, 1] });
  t.ok((await reached(SOCKET)).pid, 'after both have removed it');

  const before = (await primary.state()).slots.map((slot) => slot.pid);
  t.match(await primary.ask('reload'), { ok: true });
  t.notOk(before.includes((await reached(SOCKET)).pid), 'after a reload, by a new worker');

  t.match(await primary.ask('stop'), { ok: true });
  await until(() => !existsSync(SOCKET), 'the file to be gone');
  t.match(await primary.ask('start'), { ok: true });
  t.ok((await reached(SOCKET)).pid, 'after a stop and a start');
});
