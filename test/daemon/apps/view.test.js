import t from 'tap';
import { viewApp } from '../../../src/daemon/apps/view.js';

t.test('the note of an app names lost log output and connections', async (t) => {
  const nothing = { slots: [], logDroppedBytes: 0, connectionsGivenUp: 0 };
  const appWith = (/** @type {object} */ snapshot) => ({
    name: 'web',
    slots: [],
    ids: {},
    generation: 1,
    stopped: false,
    queue: {},
    autoscaling: null,
    spec: { namespace: 'default', execMode: 'cluster', script: '/web.js', scheduling: 'shared' },
    link: { state: 'connected', pid: 1, trouble: null, snapshot: { ...nothing, ...snapshot } },
  });
  const noteOf = (/** @type {object} */ snapshot) =>
    viewApp(/** @type {any} */ (appWith(snapshot)), new Map(), 0).note;
  t.equal(noteOf({ logDroppedBytes: 0, logDropReason: null }), null);
  const lost = { logDroppedBytes: 1_258_291, logDropReason: 'disk full' };
  t.equal(noteOf(lost), 'log: 1.2M lost (disk full)');
  const closed =
    'closed unserved while no worker was left (hold_timeout, or more than 1000 at once)';
  t.equal(noteOf({ connectionsGivenUp: 1 }), `1 connection was ${closed}`);
  const both = { ...lost, connectionsGivenUp: 7 };
  t.equal(noteOf(both), `log: 1.2M lost (disk full); 7 connections were ${closed}`);
});
