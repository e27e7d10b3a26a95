/** Files with errors: the message names the place, the exit code is 3, and nothing is started. */
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';

const unknownKey = `apps:\n  - name: api\n    script: ${app('http-pid.cjs')}\n    instnaces: 2\n`;
const endless = 'await new Promise(() => {});\nexport const apps = [];\n';

t.test('an unknown key, and a module that never ends', async (t) => {
  const { root, run, list } = testHome(t);
  for (const [file, text, says] of [
    ['ecosystem.yml', unknownKey, /ecosystem\.yml:4:\d+.*instnaces.*instances/is],
    ['ecosystem.config.mjs', endless, /await never ends/],
  ]) {
    writeFiles(root, { [file]: text });
    const { code, stdout, stderr } = await run(['start', file]);
    t.equal(code, 3, stderr);
    t.match(stderr, says);
    t.notMatch(stderr, /^\s+at .*:\d+:\d+\)?$/m, 'no stack');
    t.equal(stdout, '');
  }
  t.same((await list()).apps, [], 'nothing was started');
});
