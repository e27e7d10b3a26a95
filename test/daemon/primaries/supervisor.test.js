import t from 'tap';
import { EventEmitter, once } from 'node:events';
import { supervise } from '../../../src/daemon/primaries/supervisor.js';

t.test(
  'a stop that could not reach a silent primary is finished when that has exited',
  async (t) => {
    const link = Object.assign(new EventEmitter(), {
      state: 'none',
      snapshot: null,
      shutdown: async () => void link.emit('stopped'),
    });
    const queue = { run: (_name, work) => work() };
    const app = { name: 'web', stopped: true, deleted: false, link, queue, spec: {} };
    supervise({ isEnding: false }, app);
    const stopped = once(link, 'stopped');
    link.emit('lost');
    await t.resolves(stopped);
  },
);
