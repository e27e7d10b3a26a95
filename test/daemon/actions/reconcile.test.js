import t from 'tap';
import { reconcile } from '../../../src/daemon/primaries/supervisor.js';

t.test('workers that have outlived the primary of a stopped app are stopped', async (t) => {
  const stopped = [];
  const link = { state: 'none', shutdown: async (options) => void stopped.push(options) };
  const spec = { killSignal: 'SIGINT', killTimeoutMs: 1000, drainTimeoutMs: 1000 };
  await reconcile({ isEnding: false }, { name: 'web', stopped: true, link, spec });
  t.match(stopped, [{ killSignal: 'SIGINT', timeoutMs: Number }]);
});
