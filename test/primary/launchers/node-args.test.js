import t from 'tap';
import { nodeArgsOf } from '../../../src/primary/launchers/node-args.js';

t.test('what the settings add to the command line of Node', async (t) => {
  const nodeArgs = ['--expose-gc'];
  const own = ['--require', '/agent', '--inspect-publish-uid=stderr', '--inspect-port=0'];
  t.same(nodeArgsOf({ nodeArgs, sourceMaps: false }, {}, '/agent'), [...own, '--expose-gc']);
  t.same(nodeArgsOf({ nodeArgs, sourceMaps: true }, {}, '/agent'), [
    ...[...own, '--enable-source-maps', '--expose-gc'],
  ]);
});

t.test('who sets the options of the inspector decides where it listens', async (t) => {
  const sourceMaps = false;
  for (const option of ['--inspect', '--inspect-port=9300', '--inspect=0', '--debug-port=1234']) {
    const byArgs = nodeArgsOf({ nodeArgs: [option], sourceMaps }, {}, '/agent');
    t.same(byArgs, ['--require', '/agent', option]);
    const env = { NODE_OPTIONS: `--no-warnings ${option}` };
    t.same(nodeArgsOf({ nodeArgs: [], sourceMaps }, env, '/agent'), ['--require', '/agent']);
  }
});
