import t from 'tap';
import { nodeArgsOf } from '../../../src/primary/pool/launch.js';

t.test('what the settings add to the command line of Node', async (t) => {
  const root = t.testdir({ 'mapped.js': '', 'mapped.js.map': '', 'plain.js': '' });
  const nodeArgs = ['--expose-gc'];
  const own = ['--require', '/agent', '--inspect-publish-uid=stderr', '--inspect-port=0'];
  const rows = /** @type {const} */ ([
    ['plain.js', null, {}, []],
    ['plain.js', true, {}, ['--enable-source-maps']],
    ['mapped.js', null, {}, ['--enable-source-maps']],
    ['mapped.js', null, { NODE_OPTIONS: '--no-enable-source-maps' }, []],
    ['mapped.js', false, {}, []],
  ]);
  for (const [file, sourceMaps, env, added] of rows) {
    const script = `${root}/${file}`;
    const args = nodeArgsOf({ script, nodeArgs, sourceMaps }, env, '/agent');
    t.same(args, [...own, ...added, '--expose-gc'], `${file} ${sourceMaps}`);
  }
});

t.test('who sets the options of the inspector decides where it listens', async (t) => {
  const program = { script: '/app.js', sourceMaps: false };
  for (const option of ['--inspect', '--inspect-port=9300', '--inspect=0', '--debug-port=1234']) {
    const byArgs = nodeArgsOf({ nodeArgs: [option], ...program }, {}, '/agent');
    t.same(byArgs, ['--require', '/agent', option]);
    const env = { NODE_OPTIONS: `--no-warnings ${option}` };
    t.same(nodeArgsOf({ nodeArgs: [], ...program }, env, '/agent'), ['--require', '/agent']);
  }
});

t.test('with the permission model the agent may be read', async (t) => {
  const program = { script: '/app.js', sourceMaps: false };
  const agent = '/own/src/agent/main.cjs';
  const hasAllowed = (/** @type {string[]} */ nodeArgs, /** @type {string} */ options) =>
    nodeArgsOf({ nodeArgs, ...program }, { NODE_OPTIONS: options }, agent)[2] ===
    '--allow-fs-read=/own/src';
  for (const option of ['--permission', '--experimental-permission', '--permission-audit']) {
    t.ok(hasAllowed(['--no-warnings', option, '--allow-fs-read=/srv'], ''), option);
    t.ok(hasAllowed([], `--allow-fs-read=/srv ${option}`), `NODE_OPTIONS: ${option}`);
  }
  // Without it, Node refuses to start with what it allows.
  t.notOk(hasAllowed(['--no-permission', '--no-experimental-permission'], '--title=--permissions'));
});
