/** Ctrl-C in the moment in which a command begins something that it has to complete. */
import t from 'tap';
import { execFileSync } from 'node:child_process';

const MODULE = new URL('../../../src/shared/processes/signal.js', import.meta.url);
/** The signal has arrived, and Node has not called a listener yet. */
const PROGRAM = `
  import { interruption } from ${JSON.stringify(MODULE.href)};
  process.once('SIGINT', () => console.log('as if nothing had begun'));
  process.kill(process.pid, 'SIGINT');
  interruption().addEventListener('abort', () => {
    console.log('interrupted');
    process.exit();
  });
  setTimeout(() => {}, 2000);
`;

t.test('it is not lost', async (t) => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  t.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), 'interrupted\n');
});
