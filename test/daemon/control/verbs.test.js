/** What a feature wanted, and a command before it in the queue has made needless. */
import t from 'tap';
import { CommandQueue } from '../../../src/daemon/apps/command-queue.js';
import { reload, scale } from '../../../src/daemon/control/verbs.js';

const wanted = {
  reload: (daemon, app) => reload(daemon, app, 'watch'),
  scaling: (daemon, app) => scale(daemon, app, 2, 'CPU'),
};

for (const [what, run] of Object.entries(wanted)) {
  for (const change of [{ stopped: true }, { deleted: true }]) {
    t.test(`a ${what} behind a command that sets ${Object.keys(change)} never was`, async (t) => {
      const seen = [];
      const note = (...args) => void seen.push(args);
      const daemon = {
        isEnding: false,
        events: { publish: (_app, event) => note(event) },
        log: { info: note, error: note },
        features: { sync: note, ask: () => [] },
        onOutcome: note,
      };
      const app = {
        name: 'web',
        spec: {},
        ids: { 0: 0 },
        slots: [0],
        desiredSlots: [0],
        link: { state: 'none', snapshot: null },
        queue: new CommandQueue('web'),
        noteReload: note,
        stopped: false,
        deleted: false,
      };
      const command = app.queue.run('stop', async () => void Object.assign(app, change));
      await run(daemon, app);
      await command;
      t.same(seen, []);
    });
  }
}
