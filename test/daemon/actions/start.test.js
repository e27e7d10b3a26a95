import t from 'tap';
import { startApp } from '../../../src/daemon/actions/start.js';

t.test(
  'a step of a command after `kill` does not ask for a start by the next daemon',
  async (t) => {
    const daemon = { isEnding: true, table: { change: () => t.fail('it is saved as running') } };
    const starts = startApp(daemon, { slots: [0] }, { slots: null }, () => {});
    await t.rejects(starts, { code: 'E_DAEMON_ENDING' });
  },
);
