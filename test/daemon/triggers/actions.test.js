/** What a trigger wanted, and a command before it in the queue has made needless. */
import t from 'tap';
import { CommandQueue } from '../../../src/daemon/apps/command-queue.js';
import { triggerActions } from '../../../src/daemon/triggers/actions.js';

const wanted = {
  reload: (actions, app) => actions.reload(app),
  'run of a job': (actions, app) => actions.runJob(app, 'schedule'),
  'renewal of a worker': (actions, app) => actions.replaceWorkers(app, [{ slot: 0 }], 'memory'),
  scaling: (actions, app) => actions.scale(app, 2, 'CPU'),
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
        triggers: { sync: note },
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
      await run(
        triggerActions(() => daemon),
        app,
      );
      await command;
      t.same(seen, []);
    });
  }
}
