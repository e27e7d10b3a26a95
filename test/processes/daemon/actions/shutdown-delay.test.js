import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { startedDaemon, webSpec } from '../../daemon-under-test.js';

t.test('before it stops, an app serves for shutdown_delay and is not ready', async (t) => {
  const spec = await webSpec({ instances: 1, shutdownDelayMs: 1000 });
  const daemon = await startedDaemon(t, [spec]);
  t.match(await daemon.view('web'), { busy: null, workers: [{ isReady: true }] });

  const stopped = daemon.ask('stop', { selectors: ['web'] });
  const leaving = await until(async () => {
    const app = await daemon.view('web');
    return app.busy === 'stop' && !app.workers[0].isReady && app;
  }, 'the stop to begin');
  t.match(leaving, { status: 'online', workers: [{ status: 'online' }] });
  t.ok(await ask(Number(spec.env.PORT), '/'), 'it serves');
  t.match(await stopped, { apps: [{ ok: true }] });
  t.match(await daemon.view('web'), { status: 'stopped', busy: null });

  await daemon.ask('resume', { selectors: ['web'] });
  t.match(await daemon.view('web'), { busy: null, workers: [{ isReady: true }] });
});
