/** An app in YAML, JSON, three kinds of JavaScript and on standard input. */
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

const script = app('http-pid.cjs');

const yaml = ({ name, port }) =>
  `apps:\n  - name: ${name}\n    script: ${script}\n    env:\n      PORT: ${port}\n`;
const asPm2 = ({ name, port }) => `module.exports = {
  apps : [{
    name   : "${name}",
    script : "${script}",
    instances : "1",
    exec_mode : "cluster",
    env: { PORT: ${port}, APP_VERSION: "plain" },
    env_production: { APP_VERSION: "production" }
  }]
}
`;
const json = ({ name, port }) => JSON.stringify({ apps: [{ name, script, env: { PORT: port } }] });

t.test('each form', async (t) => {
  const { root, ok } = testHome(t);
  for (const [index, [file, text, flags, version]] of [
    ['ecosystem.yml', yaml, []],
    ['ecosystem.yaml', yaml, []],
    ['ecosystem.json', json, []],
    ['ecosystem.config.js', asPm2, [], 'plain'],
    ['ecosystem.config.cjs', asPm2, ['--env', 'production'], 'production'],
    ['ecosystem.config.mjs', (given) => `export default ${json(given)};\n`, []],
    ['standard input', yaml, ['-']],
  ].entries()) {
    const port = await freePort();
    const content = text({ name: `app${index}`, port });
    const cwd = `${root}/${index}`;
    writeFiles(cwd, { [file]: content });
    await ok(['start', ...flags], { cwd, stdin: content });
    const answer = await ask(port);
    t.match(answer, { slot: '0' }, file);
    t.equal(answer.version, version);
  }
});
