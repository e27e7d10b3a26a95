/** A daemon that takes over gets the sockets that the one before it holds, whatever their primaries do. */
import t from 'tap';
import { startLoad } from '../../support/http-load.js';
import { until } from '../../support/until.js';
import { killNow, startedDaemon, webSpec } from '../daemon-under-test.js';

t.jobs = 2;

for (const { scheduling, isSeenSilent } of [
  { scheduling: 'fair', isSeenSilent: false },
  { scheduling: 'round-robin', isSeenSilent: true },
]) {
  t.test(
    `${scheduling}: a primary that is silent during the update, and killed ${isSeenSilent ? 'later' : 'at once'}`,
    async (t) => {
      const daemon = await startedDaemon(t, [await webSpec({ instances: 2, scheduling })]);
      const { daemon: before, apps } = await daemon.ask('list');
      const [{ primaryPid, workers }] = apps;
      const port = Number(workers[0].listening[0].address.split(':').at(-1));
      process.kill(primaryPid, 'SIGSTOP');
      daemon.spawnDaemon({}, 'update');
      await until(async () => (await daemon.ask('ping')).pid !== before.pid, 'the next daemon');
      const isGivenUp = async () => (await daemon.view('web')).status === 'unknown';
      if (isSeenSilent) await until(isGivenUp, 'the daemon to see that it is silent');
      killNow(primaryPid);
      const load = startLoad(t, { port, clients: 2, keepAlive: false });
      await until(async () => {
        const web = await daemon.view('web');
        return web.status === 'online' && web.primaryPid !== primaryPid;
      }, 'the next primary');
      await load.answers(20);
      const { failures } = await load.stop();
      t.same(failures, []);
    },
  );
}
