import t from 'tap';
import { endOf } from '../../../src/daemon/primaries/lost-command.js';

const OK = { ok: true, at: 5, reason: null, durationMs: 9, generation: 2 };
const FAILED = { ...OK, ok: false, reason: 'exited with code 1' };
const lists = (done, kept = [], rolledBack = []) => ({ done, kept, rolledBack });

/** @param {string} text one word for each slot: its status and pid */
function state(text, { generation = 1, lastReload = null } = {}) {
  const slots = text.split(' ').map((word, slot) => {
    const [, status, pid] = /^([a-z]+)(\d*)$/.exec(word);
    return { slot, status, pid: pid === '' ? null : Number(pid) };
  });
  return { generation, lastReload, slots };
}

const two = state('online1 online2');
const reload = { slots: undefined, generation: 2 };
const all = { slots: [0, 1] };
const reloaded = (lastReload) => state('online3 online4', { lastReload });
const done = (...slots) => ({ ok: true, done: slots });

const rows = [
  ['reload', reload, two, reloaded({ ...OK, ...lists([0, 1]) }), done(0, 1), 'it succeeded'],
  ['reload', reload, two, two, null, 'no word of it'],
  [
    'reload',
    reload,
    two,
    reloaded({ ...OK, generation: 1, ...lists([0, 1]) }),
    null,
    'another one',
  ],
  [
    'reload',
    reload,
    reloaded({ ...FAILED, ...lists([], [0, 1]) }),
    reloaded({ ...FAILED, ...lists([], [0, 1]) }),
    null,
    'one before it, for the same generation',
  ],
  [
    'reload',
    reload,
    two,
    reloaded({ ...FAILED, ...lists([0]) }),
    { ok: false, done: [0], failed: [{ slot: 1, reason: 'exited with code 1', lastLines: [] }] },
    'it failed in the slot that is neither done nor kept',
  ],
  [
    'reload',
    reload,
    two,
    reloaded({ ...FAILED, ...lists([], [1], [0]) }),
    { ok: false, done: [], failed: [{ slot: null }], kept: [1], rolledBack: [0] },
    'it was rolled back',
  ],
  ['start', all, null, two, done(0, 1), 'all are online'],
  ['start', all, null, state('online1 exited'), done(0, 1), 'one has done its work'],
  ['start', all, null, state('online1 backoff'), null, 'one is not'],
  ['start', { slots: [0] }, null, state('online1 backoff'), done(0), 'another one is not'],
  ['stop', all, two, state('stopped stopped'), done(0, 1), 'all are stopped'],
  ['stop', all, two, state('stopped online2'), null, 'one is not'],
  ['restart', all, two, state('online3 online4'), done(0, 1), 'all are other processes'],
  ['restart', all, two, state('online3 online2'), null, 'one is the same process'],
  ['restart', all, two, state('online3 errored'), null, 'one is not online'],
  ['scale', { slots: [0, 1, 2] }, two, state('online1 online2 online3'), done(2), 'one was added'],
  [
    'scale',
    { slots: [0, 1, 2] },
    two,
    state('backoff online2 online3'),
    done(2),
    'an older one failed',
  ],
  ['scale', { slots: [0, 1, 2] }, two, state('online1 online2 starting'), null, 'it is not online'],
  ['scale', { slots: [0, 1, 2] }, two, two, null, 'none was added'],
  ['scale', { slots: [0] }, two, state('online1'), done(), 'one was removed'],
  ['scale', { slots: [0] }, two, two, null, 'none was removed'],
  ['configure', {}, two, two, null, 'nothing shows it'],
];

for (const [method, params, before, after, expected, reason] of rows) {
  const ended = endOf(method, params, before, after);
  if (expected === null) t.equal(ended, null, `${method}: ${reason}`);
  else t.match(ended, expected, `${method}: ${reason}`);
}
