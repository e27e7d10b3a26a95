import { createRequire } from 'node:module';
import t from 'tap';

const { chooseStopSignal } = createRequire(import.meta.url)('../../src/agent/answers.cjs');

for (const [killSignal, handled, signal] of /** @type {const} */ ([
  ['auto', [], 'SIGTERM'],
  ['auto', ['SIGINT'], 'SIGINT'],
  ['auto', ['SIGTERM'], 'SIGTERM'],
  ['auto', ['SIGINT', 'SIGTERM'], 'SIGTERM'],
  ['auto', ['SIGHUP'], 'SIGTERM'],
  ['SIGTERM', ['SIGINT'], 'SIGTERM'],
  ['SIGINT', ['SIGTERM'], 'SIGINT'],
  ['SIGQUIT', [], 'SIGQUIT'],
])) {
  t.test(
    `kill_signal ${killSignal}, the program handles ${handled.join(' and ') || 'none'}`,
    async (t) => {
      const count = (/** @type {string} */ name) => handled.filter((one) => one === name).length;
      t.equal(chooseStopSignal(killSignal, count), signal);
    },
  );
}
