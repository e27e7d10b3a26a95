/** A reload that its primary does not survive. */
import t from 'tap';
import { until } from '../../../support/until.js';
import { gated, killNow, startedDaemon } from '../../daemon-under-test.js';

t.test(
  'a reload that its primary did not survive has failed, in describe and in metrics',
  async (t) => {
    const daemon = await startedDaemon(t);
    const web = await gated(daemon, { instances: 1 });
    await daemon.ask('start', { specs: [web.spec] });
    const measured = async () => (await daemon.ask('list', { fields: ['counters'] })).apps[0];
    t.match(await measured(), { reloads: { ok: 0, failed: 0 }, lastReload: null });
    web.close();
    const { primaryPid } = await daemon.view('web');
    const onNotification = (_method, { kind }) => kind === 'starting' && killNow(primaryPid);
    const lost = await daemon.ask('reload', { selectors: ['web'] }, { onNotification });
    web.open();
    t.match(lost, { apps: [{ ok: false }] });
    const isBack = async () => {
      const app = await measured();
      return app.primaryPid !== primaryPid && app.status === 'online' && app;
    };
    const reason = /primary process of web exited/;
    const after = await until(isBack, 'the app to be back');
    t.match(after, {
      reloads: { ok: 0, failed: 1 },
      lastReload: { ok: false, at: Number, reason },
    });
    const canary = { instances: 1, forMs: 1000, max5xx: 0.01, maxP99: 1000 };
    const spec = { ...web.spec, scheduling: 'sticky' };
    const refused = await daemon.ask('apply', { specs: [spec], action: 'reload', canary });
    t.match(refused, { apps: [{ ok: false, failed: [{ errorCode: 'E_CANARY' }] }] });
    const { apps } = await daemon.ask('list', { selectors: ['web'], fields: ['details'] });
    t.strictSame(apps[0].lastReload, after.lastReload);

    t.match(await daemon.ask('reload', { selectors: ['web'] }), { apps: [{ ok: true }] });
    t.match(await measured(), { reloads: { ok: 1, failed: 1 }, lastReload: { ok: true } });
  },
);
