/** No file outside of a feature, but the lists, names it: what is its own stands in its directory. */
import t from 'tap';
import { readdirSync } from 'node:fs';
import { ROOT, projectFiles, read, withoutComments } from '../support/sources.js';

/**
 * By feature: words of identifiers and strings that are its own, in lower case. The names of some features, and of
 * options such as `watch`, are words of the language, which say nothing.
 */
const WORDS = {
  alarms: ['alarm'],
  audit: ['audit'],
  autoscaling: ['autoscaling', 'autoscaler'],
  canary: ['canary', 'canaries'],
  cron: ['cron restart'],
  degraded: ['degraded', 'memory growth'],
  'env-from': ['env from'],
  health: ['health', 'healthy', 'unhealthy'],
  jobs: ['job', 'schedule', 'overlap', 'run now', 'next run at'],
  'past-hour': ['past hour'],
  'pid-file': ['pid file'],
  'program-metrics': ['program metrics'],
  run: ['own line of run'],
  spares: ['spare'],
  watch: ['ignore watch', 'watch delay'],
  wear: ['max memory restart'],
  // The inspector is Node's: what opens it by `node_args` is of the kernel.
  why: ['profile', 'inspected'],
};
/** As in imports.test.js, and the table of commands. */
const LISTS = /^(src\/features\/[\w-]+\.(c?js|d\.ts)|src\/cli\/commands\.js|bin\/nodecluster\.js)$/;
/** What shows apps, or says them in the words of others. */
const CLIENTS = /^src\/(clients|show|cli\/render)\//;

/** What names them still: here these words are the kernel's own. */
const KERNEL_WORDS = {
  // Its path is resolved, and is not to be watched, as those of log files.
  'pid-file': [
    'src/config/resolve/steps.js',
    'src/features/watch/daemon.js',
    'src/features/watch/options.js',
    'src/shared/files/small-file.js',
  ],
  // A slot is spare or not as it is desired or not: the pool knows what that means, the feature which ones are.
  spares: [
    'src/daemon/apps/app.js',
    'src/daemon/apps/dependencies.js',
    'src/daemon/apps/record.js',
    'src/daemon/apps/slots.js',
    'src/features/autoscaling/daemon.js',
    'src/features/autoscaling/decide.js',
    'src/lifecycle/app-status.js',
    'src/primary/pool/app.js',
    'src/primary/pool/outcome.js',
    'src/primary/pool/pool.js',
    'src/primary/pool/slot.js',
    'src/primary/reports.js',
    'src/primary/sockets/listen-hooks.js',
    'src/protocol/shapes.d.ts',
  ],
  // The verdict of one that has no spare, and when a spare serves.
  degraded: ['src/features/spares/show.js'],
  health: ['src/features/spares/options.js'],
  // `timezone` is one option for both kinds of times.
  cron: ['src/features/jobs/options.js'],
  // What it advises.
  why: ['src/features/degraded/show.js'],
};
/** The same, of files that show apps: how many. */
const SHOWN_BY = {
  autoscaling: 1,
  cron: 3,
  degraded: 1,
  health: 8,
  jobs: 9,
  'past-hour': 4,
  'pid-file': 1,
  'program-metrics': 1,
  spares: 4,
  watch: 2,
  wear: 5,
  why: 2,
};

const sources = projectFiles()
  .filter((path) => /^(bin|src)\/.*\.(c?js|d\.ts)$/.test(path) && !LISTS.test(path))
  .map((path) => ({ path, words: wordsIn(path) }));

/** @returns its code with `maxRequests` and `max_requests` as `max requests` */
function wordsIn(path) {
  const text = read(path);
  if (/^\/[/*] ?\*? ?Generated /.test(text)) return '';
  // The name of a page that a text refers to is not the feature.
  const code = withoutComments(text).replace(/\]\([\w/.-]+\.md/g, ']');
  return code
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
}

function namedBy(feature) {
  const named = new RegExp(`(?<![a-z])(${WORDS[feature].join('|')})s?(?![a-z])`);
  const others = sources.filter(({ path }) => !path.startsWith(`src/features/${feature}/`));
  return others.filter(({ words }) => named.test(words)).map(({ path }) => path);
}

t.test('each feature has words', async (t) => {
  const entries = readdirSync(`${ROOT}/src/features`, { withFileTypes: true });
  const features = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  t.same(features.sort(), Object.keys(WORDS).sort());
});

for (const feature of Object.keys(WORDS)) {
  const found = namedBy(feature);
  const allowed = KERNEL_WORDS[feature] ?? [];
  const kernel = found.filter((path) => !CLIENTS.test(path));
  t.same(kernel.sort(), [...allowed].sort(), feature);
  const clients = found.filter((path) => CLIENTS.test(path));
  t.equal(clients.length, SHOWN_BY[feature] ?? 0, `${feature}: ${clients.join(', ')}`);
}
