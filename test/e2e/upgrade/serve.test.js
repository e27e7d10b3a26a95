/** An app of `serve` runs the program of its primary's version, wherever the package is now. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { testHome } from '../../support/home.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

const LATER = { version: '9.0.0', protocol: 9, oldest: 8 };
const MARKED = [['X-Content-Type-Options', 'X-Later']];

t.test('it serves without the package that started it, and by the next one', async (t) => {
  const { root, ok, appNamed } = testHome(t);
  const first = join(root, 'first');
  const bin = await makeOtherVersion(first, { ...LATER, version: '8.0.0' });
  const port = String(await freePort());
  const page = () => fetch(`http://127.0.0.1:${port}/`).catch(() => null);
  await ok(['serve', '.', port, '--name', 'site'], { bin });
  t.equal((await page())?.headers.has('x-later'), false);

  rmSync(first, { recursive: true });
  const { workers } = await appNamed('site');
  process.kill(workers[0].pid, 'SIGKILL');
  await until(async () => (await appNamed('site')).workers[0].pid !== workers[0].pid, 'its exit');
  await until(page, 'another worker to serve');

  const edits = { 'src/clients/serve/main.js': MARKED };
  const later = await makeOtherVersion(join(root, 'later'), { ...LATER, edits });
  await ok(['update', '--apps'], { bin: later });
  t.equal((await page())?.headers.has('x-later'), true, 'the program of the new version');

  const file = join(root, 'site.yml');
  await ok(['init', '--from-running', file], { bin: later });
  await ok(['delete', 'site']);
  await ok(['update']);
  await ok(['start', file]);
  t.equal((await page())?.headers.has('x-later'), false, 'and of the version that starts the file');
});
