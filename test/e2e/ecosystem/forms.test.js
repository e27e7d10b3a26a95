/** The same app in YAML, JSON, three kinds of JavaScript and on standard input. */
import t from 'tap';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

const yaml = (port) =>
  `apps:\n  - name: api\n    script: ./http-pid.cjs\n    env:\n      PORT: ${port}\n`;
const asPm2 = (port) => `module.exports = {
  apps : [{
    name   : "api",
    script : "./http-pid.cjs",
    instances : "1",
    exec_mode : "cluster",
    env: { PORT: ${port}, APP_VERSION: "plain" },
    env_production: { APP_VERSION: "production" }
  }]
}
`;
const json = (port) => ({ apps: [{ name: 'api', script: './http-pid.cjs', env: { PORT: port } }] });
const forms = {
  'ecosystem.yml': yaml,
  'ecosystem.yaml': yaml,
  'ecosystem.json': json,
  'ecosystem.config.js': asPm2,
  'ecosystem.config.cjs': asPm2,
  'ecosystem.config.mjs': (port) => `export default ${JSON.stringify(json(port))};\n`,
};

for (const [file, text] of Object.entries(forms)) {
  t.test(file, async (t) => {
    const { root, ok } = testHome(t);
    const port = await freePort();
    copyApp('http-pid.cjs', `${root}/http-pid.cjs`);
    writeFiles(root, { [file]: text(port) });
    await ok(['start']);
    t.match(await ask(port), { slot: '0' });
  });
}

t.test('standard input', async (t) => {
  const { root, ok } = testHome(t);
  const port = await freePort();
  copyApp('http-pid.cjs', `${root}/http-pid.cjs`);
  await ok(['start', '-'], { stdin: yaml(port) });
  t.match(await ask(port), { slot: '0' });
});

t.test('--env adds the variables of that name', async (t) => {
  const { root, ok } = testHome(t);
  const port = await freePort();
  copyApp('http-pid.cjs', `${root}/http-pid.cjs`);
  writeFiles(root, { 'ecosystem.config.cjs': asPm2(port) });
  await ok(['start', 'ecosystem.config.cjs', '--env', 'production']);
  t.match(await ask(port), { version: 'production' });
});
