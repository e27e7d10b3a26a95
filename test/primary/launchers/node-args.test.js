import t from 'tap';
import { nodeArgsOf } from '../../../src/primary/launchers/node-args.js';

t.test('what the settings add to the command line of Node', async (t) => {
  const nodeArgs = ['--expose-gc'];
  t.same(nodeArgsOf({ nodeArgs, sourceMaps: false }, '/agent'), [
    '--require',
    '/agent',
    '--expose-gc',
  ]);
  t.same(nodeArgsOf({ nodeArgs, sourceMaps: true }, '/agent'), [
    ...['--require', '/agent', '--enable-source-maps', '--expose-gc'],
  ]);
});
