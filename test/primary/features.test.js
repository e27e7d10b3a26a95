/** What a feature throws is logged with its name, and hurts no worker. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { Features } from '../../src/primary/features.js';

const fail = () => {
  throw new Error('a bug');
};
const chunk = Buffer.from('x');

t.test('what one throws', async (t) => {
  const logged = [];
  const pool = new EventEmitter();
  const variables = async () => fail();
  const parts = { trouble: fail, firstCheck: fail, stderr: fail, fields: fail, variables };
  const makers = {
    unmade: fail,
    workers: () => ({ worker: fail, snapshot: fail }),
    parts: () => ({ worker: () => parts }),
    listening: ({ pool }, _directory, guard) => {
      pool.on('reload', guard(fail));
      pool.on('change', guard(variables));
      return {};
    },
    working: () => ({ worker: () => ({}), snapshot: () => ({ variablesFrom: {} }) }),
  };
  const features = new Features(makers, { pool }, '', (line) => logged.push(line));
  const all = features.partsOf({});
  t.equal(all.trouble(), null);
  t.match(all.firstCheck(), { hasPassed: false }, 'what cannot be checked has not passed');
  t.equal(all.stderr(chunk), chunk, 'no output is lost');
  t.same(all.fields(), {});
  await t.rejects(
    all.variables(),
    { message: 'a bug' },
    'a worker without its variables must not start',
  );
  t.same(features.snapshot, { variablesFrom: {} });
  pool.emit('reload');
  pool.emit('change');
  await null;
  const names = logged.map((line) => /^(\w+) has failed: .*a bug/.exec(line)?.[1]);
  t.same(names, ['unmade', 'workers', 'parts', 'listening'], 'each once');
});
