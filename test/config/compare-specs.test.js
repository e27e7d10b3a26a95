import t from 'tap';
import { compareSpecs, neededFor } from '../../src/config/compare-specs.js';
import { fromFlags } from '../../src/config/flags.js';
import { options } from '../../src/config/options/table.js';
import { ecosystemDirectory } from './ecosystem-directory.js';

const { directory, shellEnv } = ecosystemDirectory(t);
const { spec } = fromFlags({ script: 'app.js' }, { cwd: directory, shellEnv });

t.test('equal specs', async (t) => {
  const other = { ...spec, shellEnv: { SHELL: 'fish' }, configFile: '/x.yml', given: {} };
  t.same(compareSpecs(spec, other), { needs: 'none', changes: [] });
});

t.test('the largest need of all changes wins', async (t) => {
  /** @type {[object, string, object[]][]} */
  const rows = [
    [{ killTimeoutMs: 10_000 }, 'configure', [{ key: 'kill_timeout', from: '5s', to: '10s' }]],
    [{ cronRestart: '@daily' }, 'configure', [{ key: 'cron_restart', from: null, to: '@daily' }]],
    [{ instances: 4 }, 'scale', [{ key: 'instances', from: 1, to: 4 }]],
    [{ args: ['a'] }, 'reload', [{ key: 'args', from: [], to: ['a'] }]],
    [{ execMode: 'fork' }, 'restart', [{ key: 'exec_mode', from: 'cluster', to: 'fork' }]],
    [
      { instances: 4, args: ['a'], killTimeoutMs: 0 },
      'reload',
      [
        { key: 'args', from: [], to: ['a'] },
        { key: 'instances', from: 1, to: 4 },
        { key: 'kill_timeout', from: '5s', to: '0ms' },
      ],
    ],
  ];
  for (const [change, needs, changes] of rows) {
    t.same(compareSpecs(spec, { ...spec, ...change }), { needs, changes });
  }
});

t.test(
  'every value of a spec is compared, except where it came from and what follows from others',
  async (t) => {
    const compared = new Set(options.map((option) => option.spec));
    const rest = Object.keys(spec).filter((key) => !compared.has(key));
    t.same(rest.sort(), [
      'configFile',
      'given',
      'modeReason',
      'onDemand',
      'resolvedFrom',
      'shellEnv',
    ]);
  },
);

t.test('env by variable, with secrets masked', async (t) => {
  const old = { ...spec, env: { A: '1', B: '1', DB_PASSWORD: 'x', OLD_TOKEN: 'y' } };
  const wanted = { ...spec, env: { A: '1', B: '2', DB_PASSWORD: 'z', URL: 'pg://me:pw@db/x' } };
  t.same(compareSpecs(old, wanted), {
    needs: 'reload',
    changes: [
      { key: 'env.B', from: '1', to: '2' },
      { key: 'env.DB_PASSWORD', from: '********', to: '********' },
      { key: 'env.OLD_TOKEN', from: '********', to: null },
      { key: 'env.URL', from: null, to: '********' },
    ],
  });
});

t.test('what is needed is known even if the other spec is not whole', async (t) => {
  const other = { ...spec, killTimeoutMs: 'x', maxMemoryRestartBytes: undefined };
  t.equal(neededFor(other, { ...spec, maxMemoryRestartBytes: 1024 }), 'configure');
  t.equal(neededFor(spec, spec), 'none');
});
