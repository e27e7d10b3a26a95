/** On the days of a clock change a daemon runs what is due once, by a clock that libfaketime sets. */
import t from 'tap';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { app, testHome } from '../../support/home.js';
import { writeFiles } from '../../support/files.js';
import { until } from '../../support/until.js';

const library =
  process.env.NODECLUSTER_TEST_FAKETIME ??
  readdirSync('/usr/lib')
    .map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)
    .find((file) => existsSync(file));
const skip = library ? false : 'libfaketime is not installed';

/** In New York: half a minute before a change; and what has run half a minute after it, once. */
const rows = [
  // The hour from 01:00 to 02:00 comes again.
  ['2027-11-07 05:59:30', ['0 * * * *', 'cron 0 * * * *']],
  // The hour from 02:00 to 03:00 does not exist.
  ['2027-03-14 06:59:30', ['0 * * * *', '30 2 * * *', 'cron 0 * * * *', 'cron 30 2 * * *']],
];
const patterns = ['0 1 * * *', '30 1 * * *', '30 2 * * *', '0 * * * *', '30 * * * *'];
const END = '8 0 * * * *';
const restarts = ['0 1 * * *', '30 2 * * *', '0 * * * *'];

t.test('each once', { skip }, async (t) => {
  const { root, ok, begin } = testHome(t);
  const common = { script: app('job.cjs'), timezone: 'America/New_York' };
  const names = [...patterns, END, ...restarts.map((pattern) => `cron ${pattern}`)];
  const apps = names.map((name, index) => {
    const pattern = name.replace('cron ', '');
    const times =
      name === pattern ? { schedule: pattern } : { cron_restart: pattern, autorestart: false };
    const env = { RUNS: `${root}/${name.replaceAll('*', 'x')}`, TASK: `${root}/task` };
    return { ...common, ...times, name: `app-${index}`, env };
  });
  writeFiles(root, { 'ecosystem.json': { apps }, task: { ms: 0, code: 0 } });
  await ok(['start', 'ecosystem.json']);
  const runsOf = (name) => {
    const file = `${root}/${name.replaceAll('*', 'x')}`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  };
  for (const [time, expected] of rows) {
    await ok(['kill']);
    const before = names.map(runsOf);
    const env = { LD_PRELOAD: String(library), FAKETIME: `@${time}`, TZ: 'UTC' };
    begin(['daemon'], { env });
    await until(() => existsSync(`${root}/home/daemon.sock`), 'the daemon to listen');
    await ok(['resurrect']);
    const restarted = names.map((name, index) => runsOf(name) - before[index]);
    await until(() => runsOf(END) > before[names.indexOf(END)], `the end of ${time}`, 90_000);
    const ran = names.map((name, index) => [name, runsOf(name) - before[index] - restarted[index]]);
    const once = [...expected, END].map((name) => [name, 1]);
    t.same(
      Object.fromEntries(ran.filter(([, runs]) => runs !== 0)),
      Object.fromEntries(once),
      time,
    );
  }
});
