/** What a program gives to the daemon in place of its sockets harms neither the daemon nor others. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app } from '../../support/home.js';
import { homePaths } from '../../../src/shared/home.js';
import { freePort } from '../../support/ports.js';
import { placeOf } from '../../support/primary-place.js';
import { descriptorsOf } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { hostileHome, skip } from './hostile-home.js';

/** @returns `socket:[1234]` */
function socketsOf(pid) {
  return descriptorsOf(pid).filter((file) => file.startsWith('socket:'));
}

t.test(
  'a link to the socket of another app, a file, and a message of Node itself',
  { skip },
  async (t) => {
    const { home, own } = hostileHome(t, []);
    const env = { PORT: String(await freePort()) };
    await home.ok(['start', app('http-pid.cjs'), '--name', 'other'], { env });
    const LINK = placeOf(homePaths(home.home), 'other').handover;
    const start = (name, given) => {
      const variables = Object.entries(given).flatMap((pair) => ['--set-env', pair.join('=')]);
      const settings = ['--name', name, '--uid', 'nobody', ...variables];
      return home.run(['start', app('gives-no-socket.cjs'), ...settings]);
    };
    const names = ['linked', 'sent', 'said'];
    const marks = names.map((name) => join(own, name));
    await Promise.all([
      start('linked', { READY: marks[0], LINK }),
      start('sent', { READY: marks[1] }),
      start('said', { READY: marks[2], MESSAGE: '{"cmd":"NODE_HANDLE_ACK"}' }),
    ]);
    await until(() => marks.every(existsSync), 'all to have taken the place');

    const { pid } = await home.killDaemon();
    const isRefused = (name) => {
      const log = readFileSync(join(home.home, 'daemon.log'), 'utf8').split('\n').filter(Boolean);
      return log
        .filter((line) => line.includes('primary.sockets-not-held'))
        .map((line) => JSON.parse(line))
        .some(({ daemon, app: of }) => daemon === pid && of === name);
    };
    // The primary itself puts a link aside within seconds.
    await until(() => isRefused('sent') && isRefused('said'), 'both to be refused');

    const before = await home.killPrimary('linked');
    const after = await until(async () => {
      const { primaryPid } = await home.appNamed('linked');
      return primaryPid !== undefined && primaryPid !== before && primaryPid;
    }, 'its next primary');
    const ofOther = new Set(socketsOf((await home.appNamed('other')).primaryPid));
    t.ok(ofOther.size > 0);
    t.same(
      socketsOf(after).filter((socket) => ofOther.has(socket)),
      [],
      'it gets no socket of the other app',
    );
    t.equal((await home.list()).daemon.pid, pid, 'the daemon did not crash');
  },
);
