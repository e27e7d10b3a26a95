/**
 * A daemon that is frozen: commands say within seconds that it does not answer, and what to do; `kill`
 * and the primaries kill it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { commands } from '../../../src/cli/commands.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { testHome } from '../../support/home.js';
import { until } from '../../support/until.js';

// They wait more than they work.
t.jobs = 3;

/** They need no daemon. */
const ALONE = [
  'init',
  'completion',
  'startup',
  'unstartup',
  'daemon',
  'import',
  'export',
  'run',
  'audit',
];
/** Words that follow the command. */
const WORDS = {
  start: ['other.js'],
  serve: ['.'],
  apply: ['eco.yml'],
  scale: ['api', '2'],
  send: ['api', '{}'],
  signal: ['SIGUSR2', 'api'],
  profile: ['api', '--cpu', '1s'],
  monit: null, // needs a terminal
  doctor: null, // finds it, as its own test shows
  report: null, // says so in the archive
  kill: null, // kills it
};
const NO_WORDS = 'ls web metrics ping resurrect update jlist'.split(' ');

t.test('nothing replaces it while no app runs', async (t) => {
  const { root, ok, list, begin, home, startApi } = testHome(t);
  for (const file of ['other.js', 'ecosystem.config.js']) writeFileSync(path.join(root, file), '');
  writeFileSync(path.join(root, 'eco.yml'), 'apps: [{name: api, script: other.js}]');
  await startApi();
  await ok(['stop', 'api']);
  const { daemon } = await list();
  process.kill(daemon.pid, 'SIGSTOP');
  const names = commands.map(({ name }) => name);
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
  const killed = await ok(['kill']);
  t.match(killed.stderr, `The daemon (pid ${daemon.pid}) did not answer and was killed.`);
  t.equal(killed.stdout, 'No app was running.\n');
  t.equal(daemonPid(home), null);
});

t.test('a primary kills it and starts the next one; kill need not wait for that', async (t) => {
  const { ok, list, home, startApi } = testHome(t);
  await startApi();
  const before = await list();
  process.kill(before.daemon.pid, 'SIGSTOP');
  await until(isOther(home, before.daemon.pid), 'the next daemon', 60_000);
  const { daemon, apps } = await list();
  t.equal(apps[0].primaryPid, before.apps[0].primaryPid);
  t.equal(apps[0].workers[0].pid, before.apps[0].workers[0].pid);

  process.kill(daemon.pid, 'SIGSTOP');
  t.match((await ok(['kill'])).stdout, /^Stopped api and the daemon\./);
  // The primary may have started another one just before, which sees that nothing needs it and leaves.
  await until(() => daemonPid(home) === null, 'no daemon');
});

t.test('a user replaces it if the only primary is frozen too', async (t) => {
  const { ok, run, list, home, startApi } = testHome(t);
  await startApi();
  const before = await list();
  process.kill(before.apps[0].primaryPid, 'SIGSTOP');
  process.kill(before.daemon.pid, 'SIGSTOP');
  t.match(await run(['ls']), { code: 8, stderr: `kill -9 ${before.daemon.pid}` });
  process.kill(before.daemon.pid, 'SIGKILL');
  await ok(['ls']);
  t.not(daemonPid(home), before.daemon.pid);
  const replaced = async () => {
    const [{ primaryPid }] = (await list()).apps;
    return ![null, before.apps[0].primaryPid].includes(primaryPid);
  };
  await until(replaced, 'the next primary', 60_000);
});

function isOther(home, pid) {
  return () => {
    const now = daemonPid(home);
    return now === pid ? null : now;
  };
}
