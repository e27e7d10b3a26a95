/** The programs in docs/examples run as documented. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { ROOT } from '../../support/sources.js';
import { until } from '../../support/until.js';

const python = spawnSync('python3', ['--version']).status === 0;

for (const { name, skip } of [
  { name: 'hello.cjs' },
  { name: 'hello-express.cjs' },
  { name: 'greets.py', skip: python ? false : 'there is no python3 here' },
]) {
  t.test(name, { skip: skip ?? false }, async (t) => {
    const { ok } = testHome(t);
    const port = await freePort();
    await ok(['start', join(ROOT, 'docs/examples', name)], { env: { PORT: String(port) } });
    t.match(await until(() => ask(port), 'an answer'), /^Hello from (worker|process) \d+\n$/);
  });
}
