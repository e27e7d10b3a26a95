/** Workers added and removed under load. All kinds of traffic run at once, and all apps are scaled. */
import { count, zero } from '../figures.js';
import { underEveryKind } from '../traffic/every-kind.js';
import { apps } from '../traffic/kinds.js';

/** @import { Measurement } from '../measurements.js' */

const FEW = 2;
const MANY = 4;

/** @type {Measurement} */
export const scale = {
  name: 'scale',
  tables: [
    {
      name: 'scale',
      title: `Scaled from ${FEW} to ${MANY} workers and back under load`,
      columns: [
        count('changes', 'changes'),
        count('requests', 'made'),
        zero('failed', 'failed'),
        zero('without answer', 'withoutAnswer'),
        zero('executed twice', 'twice'),
      ],
    },
  ],
  async measure(supervisor, { scheduling, numbers }) {
    const { byKind } = await underEveryKind(supervisor, scheduling, async () => {
      for (let change = 0; change < numbers.changes; change++) {
        const workers = String(change % 2 === 0 ? MANY : FEW);
        await Promise.all(apps.map(({ name }) => supervisor.ok(['scale', name, workers])));
      }
    });
    return byKind
      .filter(({ isPipelined }) => !isPipelined)
      .map((kind, at) => ({ table: 'scale', changes: at === 0 ? numbers.changes : 0, ...kind }));
  },
};
