import t from 'tap';
import { fit } from '../../../../src/cli/render/table/fit.js';

const name = { id: 'name', priority: Infinity, minWidth: 5, fullWidth: 10 };
const state = { id: 'state', priority: 9, minWidth: 6, fullWidth: 8 };
const pid = { id: 'pid', priority: 1, minWidth: 4, fullWidth: 4 };

/** room for name, state and pid with a gap of 1 → the widths */
const rows = [
  ['as much as it takes', null, { name: 10, state: 8, pid: 4 }],
  ['more than it takes', 100, { name: 10, state: 8, pid: 4 }],
  ['exactly that', 24, { name: 10, state: 8, pid: 4 }],
  ['the most important one grows first', 20, { name: 8, state: 6, pid: 4 }],
  ['the least widths', 17, { name: 5, state: 6, pid: 4 }],
  ['one column less: what it took is shared out', 16, { name: 9, state: 6 }],
  ['two less', 11, { name: 10 }],
  ['what always stays', 3, { name: 5 }],
];

for (const [what, room, widths] of rows) {
  t.test(what, async (t) => {
    const shown = fit([name, state, pid], room, 1);
    t.same(Object.fromEntries(shown.map(({ claim, width }) => [claim.id, width])), widths);
  });
}

t.test('columns stay in their order', async (t) => {
  const shown = fit([pid, name, state], 24, 1);
  t.same(
    shown.map(({ claim }) => claim.id),
    ['pid', 'name', 'state'],
  );
});
