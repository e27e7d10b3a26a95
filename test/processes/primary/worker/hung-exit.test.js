/** A worker that exits, and whose process stays: Node's own exit may wait forever for one of its threads. */
import t from 'tap';
import { NODE } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const MODES = [{ execMode: 'cluster' }, { execMode: 'fork', interpreter: NODE }];

// Each waits for 10 s.
t.jobs = 4;
for (const mode of MODES) {
  for (const how of ['exit', 'throw']) {
    t.test(
      `${mode.execMode}: it is killed and replaced after /${how}`,
      { buffered: true },
      async (t) => {
        const primary = await startedPrimary(t, 'hangs-at-exit.cjs', mode);
        const { pid } = await until(() => ask(primary.port, `/${how}`), 'it to listen');
        const replaced = ({ slots: [slot] }) => slot.status === 'online' && slot.pid !== pid;
        await primary.when(replaced, 'another worker');
        const next = await until(() => ask(primary.port), 'that one to listen');
        t.not(next.pid, pid);
        const reasons = primary.events.map(({ reason }) => reason).filter(Boolean);
        t.ok(reasons.includes('did not exit within 10 s'), reasons.join('; '));
      },
    );
  }
}
