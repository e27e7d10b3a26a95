/** Every command says within seconds that the daemon does not answer, and what to do. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { verbs } from '../../../src/cli/verbs.js';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

/** They need no daemon. */
const ALONE = ['init', 'schema', 'completion', 'startup', 'unstartup', 'daemon', 'import', 'run'];
/** Words that follow the command. */
const WORDS = {
  start: ['other.js'],
  serve: ['.'],
  apply: ['eco.yml'],
  scale: ['api', '2'],
  send: ['api', '{}'],
  signal: ['SIGUSR2', 'api'],
  profile: ['api', '--cpu', '1s'],
  export: ['kubernetes', '--from-running'],
  monit: null, // needs a terminal
  agent: null, // answers as before until the daemon is back
};
const NO_WORDS = 'ls web metrics ping save resurrect update kill jlist prettylist'.split(' ');

t.test('with a frozen daemon', async (t) => {
  const { root, ok, list, begin } = testHome(t);
  for (const file of ['other.js', 'ecosystem.config.js']) writeFileSync(path.join(root, file), '');
  writeFileSync(path.join(root, 'eco.yml'), 'apps: [{name: api, script: other.js}]');
  const env = { PORT: String(await freePort()) };
  await ok(['start', app('http-pid.cjs'), '--name', 'api'], { env });
  const { daemon } = await list();
  process.kill(daemon.pid, 'SIGSTOP');
  t.teardown(() => process.kill(daemon.pid, 'SIGCONT'));
  const names = verbs.map(({ name }) => name);
  const tried = names.filter((name) => !ALONE.includes(name) && WORDS[name] !== null);
  // Each waits for 5 s, so they do so together.
  const all = tried.map(async (name) => {
    const words = WORDS[name] ?? (NO_WORDS.includes(name) ? [] : ['api']);
    const { code, stderr } = await begin([name, ...words]).ended;
    t.equal(code, 8, name);
    t.match(stderr, `(pid ${daemon.pid}) does not answer`, name);
    t.match(stderr, `kill -9 ${daemon.pid}`, name);
  });
  await Promise.all(all);
});
