import t from 'tap';
import { recordOf } from '../../../src/daemon/apps/record.js';

t.test('the note of an app names lost log output and connections', async (t) => {
  const nothing = { slots: [], logDroppedBytes: 0, connectionsGivenUp: 0, reloads: {} };
  const appWith = (/** @type {object} */ snapshot) => ({
    name: 'web',
    slots: [],
    ids: {},
    generation: 1,
    stopped: false,
    queue: {},
    spec: { namespace: 'default', execMode: 'cluster', script: '/web.js', scheduling: 'shared' },
    link: { state: 'connected', pid: 1, trouble: null, snapshot: { ...nothing, ...snapshot } },
  });
  const noteOf = (/** @type {object} */ snapshot) =>
    recordOf(/** @type {any} */ (appWith(snapshot))).note;
  t.equal(noteOf({ logDroppedBytes: 0, logDropReason: null }), undefined);
  const lost = { logDroppedBytes: 1_258_291, logDropReason: 'disk full' };
  t.equal(noteOf(lost), 'log: 1.2M lost (disk full)');
  const closed =
    'closed unserved while no worker was left (hold_timeout, or more than 1000 at once)';
  t.equal(noteOf({ connectionsGivenUp: 1 }), `1 connection was ${closed}`);
  const both = { ...lost, connectionsGivenUp: 7 };
  t.equal(noteOf(both), `log: 1.2M lost (disk full); 7 connections were ${closed}`);
});
