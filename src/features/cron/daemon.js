/** What happens at given times: rolling reloads (`cron_restart`), and rotations of log files. */
import { startTimes } from '../../daemon/cron-times.js';
import { besideApps } from '../../daemon/features.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export const cron = (door) => {
  const reloads = besideApps(
    ({ spec: { cronRestart, timezone } }) => cronRestart && JSON.stringify([cronRestart, timezone]),
    (app) => {
      const { cronRestart, timezone } = app.spec;
      const pattern = String(cronRestart);
      const times = startTimes(pattern, timezone, () => door.reload(app, 'cron_restart'));
      door.log.info('cron.set', { app: app.name, pattern, next: times.next?.toISOString() });
      return times;
    },
  );
  const rotations = besideApps(
    ({ spec: { logRotate, timezone } }) =>
      logRotate?.rotate ? JSON.stringify([logRotate.rotate, timezone]) : null,
    (app) => {
      const { logRotate, timezone } = app.spec;
      return startTimes(String(logRotate?.rotate), timezone, () => void door.rotateLogs(app));
    },
  );
  return {
    sync(app) {
      reloads.sync(app);
      rotations.sync(app);
    },
    record(app) {
      const next = reloads.of(app)?.next;
      return next ? { nextReloadAt: next.getTime() } : {};
    },
    startsAgain: ({ spec }) => spec.cronRestart !== null,
  };
};
