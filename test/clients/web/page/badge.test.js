/** The title and the icon of the tab. */
import t from 'tap';
import { byName } from '../../../../src/shared/merge-patch.js';
import { formatClock } from '../../../../src/show/quantity.js';
import { badgeOf } from '../../../../src/clients/web/page/badge.js';
import { firstState } from '../../../../src/clients/web/page/data/store.js';

const AT = 1_700_000_000_000;
const then = formatClock(AT).slice(0, 5);
const app = (name, status) => ({ name, status, workers: [{ id: 1, slot: 0, status }] });
const good = byName([app('api', 'online')]);
const warn = byName([app('api', 'starting'), app('web', 'online')]);
const bad = byName([app('api', 'starting'), app('web', 'errored')]);

const rows = [
  ['nothing received', 'open', null, false, 'nodecluster', 'off'],
  ['all well', 'open', good, false, 'nodecluster', 'good'],
  ['degraded', 'open', warn, false, '1 problem · nodecluster', 'warn'],
  ['broken', 'open', bad, false, '2 problems · nodecluster', 'bad'],
  ['hidden', 'open', bad, true, `2 problems at ${then} · nodecluster`, 'off'],
  ['hidden, all well', 'open', good, true, `no problems at ${then} · nodecluster`, 'off'],
  ['lost', 'lost', good, false, `no problems at ${then} · nodecluster`, 'off'],
  [
    'no daemon',
    'open',
    { ...good, gone: { since: 1 } },
    false,
    `no problems at ${then} · nodecluster`,
    'off',
  ],
];
for (const [name, kind, server, isHidden, title, tone] of rows) {
  t.test(name, async (t) => {
    const state = { ...firstState(AT), connection: { kind, text: '' }, server };
    t.same(badgeOf(state, isHidden), { title, tone });
  });
}
