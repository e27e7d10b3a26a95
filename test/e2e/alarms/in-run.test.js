/** `run` delivers too, also the last event, with which it ends; over TLS. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { app } from '../../support/home.js';
import { listening } from '../../support/listening.js';

const tlsFile = (name) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

t.test('the last event of an app in the foreground', async (t) => {
  const { root, begin, left } = testRun(t);
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(tlsFile(name)));
  const bodies = [];
  const server = createServer({ key, cert }, async (request, response) => {
    bodies.push(await json(request));
    response.end();
  });
  const port = await listening(t, server);
  writeFiles(root, {
    'ecosystem.json': JSON.stringify({
      name: 'task',
      script: app('exits-1.cjs'),
      exec_mode: 'fork',
      autorestart: false,
      on: [{ event: 'worker.errored', post: `https://localhost:${port}/` }],
    }),
  });
  const env = { NODE_EXTRA_CA_CERTS: tlsFile('cert.pem') };
  const { ended } = begin([`${root}/ecosystem.json`], { env });
  t.match(await ended, { code: 5 });
  const event = { type: 'worker.errored', app: 'task' };
  t.match(bodies, [{ event, text: /^task:0 errored on / }]);
  t.same(left(), NOTHING);
});
