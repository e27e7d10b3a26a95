/** apt replaces the file of the Node that a tree runs on, or nvm removes it. */
import { chmodSync, copyFileSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { NODE, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

const PROGRAM = `require('node:http').createServer((request, response) => {
  response.end(JSON.stringify([process.pid, process.execPath, process.argv[0]]));
}).listen(process.env.PORT);`;
const skip = process.platform === 'linux' ? false : 'only Linux keeps the file of a program';

t.test(
  'workers and primaries stay on the Node that the tree was started with',
  { skip },
  async (t) => {
    const { root, ok, appNamed } = testHome(t);
    const node = join(root, 'node');
    provideNode(node);
    const program = join(root, 'app.cjs');
    writeFileSync(program, PROGRAM);
    const port = await freePort();
    await ok(['start', program, '--name', 'api'], { node, env: { PORT: String(port) } });
    const kill = async (which) => {
      const { primaryPid, workers } = await appNamed('api');
      const [worker] = workers;
      process.kill(which === 'worker' ? worker.pid : primaryPid, 'SIGKILL');
      const answer = await until(async () => {
        const [pid, ...paths] = await ask(port);
        return pid !== worker.pid && paths;
      }, `another worker after the ${which}`);
      t.strictSame(answer, [node, node], 'and it can start others');
    };

    rmSync(node);
    writeFileSync(node, '#!/bin/sh\nexit 9\n');
    chmodSync(node, 0o755);
    await kill('worker');
    await kill('primary');
    rmSync(node);
    await kill('worker');
    await kill('primary');
  },
);

function provideNode(path) {
  try {
    linkSync(NODE, path);
  } catch {
    copyFileSync(NODE, path);
  }
}
