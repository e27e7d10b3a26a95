/**
 * `update` and `update --apps` under load, between this version and one of another protocol, in both
 * directions, with versions that cannot run, and with a `kill -9` in the middle: processes before
 * and after, and the requests that failed. A request is lost in flight if the killed primary had
 * accepted its connection and not handed it to a worker yet.
 * node bench/upgrade.js [--node <binary>]… [--only <words of one row>] [--times 1]
 */
import { join } from 'node:path';
import { startLoad } from '../test/support/http-load.js';
import { makeOtherVersion } from '../test/support/package/other-version.js';
import { commandOf, processesOf } from '../test/support/processes.js';
import { until } from '../test/support/until.js';
import { benchArguments } from './arguments.js';
import { inHome, versionOf } from './bench-home.js';
import { kill } from './faults/interrupted/processes.js';
import { wasInFlight } from '../src/clients/prove/verdict.js';
import { printTable } from './table.js';

/** @import { Loss } from '../src/clients/prove/verdict.js' */

/** @typedef {ReturnType<typeof import('../test/support/home.js').testHome>} Home */

const THROWS = 'throw new Error("broken");\n';
const NEWER = { version: '9.0.0', protocol: 9, oldest: 8 };
const BROKEN = {
  'at load': { 'src/daemon/daemon.js': [[/^/, THROWS]] },
  'after taking over': {
    'src/daemon/daemon.js': [[/^ {2}const adopted = .*/m, `  ${THROWS}`]],
  },
};
const BAD_WORKERS = {
  'src/primary/worker/process.js': [['  const { spec } = launch;', THROWS]],
};

/** @type {[string[], string[]][]} */
const VICTIMS = [
  [[], ['command', 'new daemon', 'old daemon']],
  [['--apps'], ['command', 'new daemon', 'old primary', 'new primary']],
];
/** ms after the new daemon, or the new primary, was started. */
const DELAYS = [0, 60, 120, 180, 240, 400];

/** @type {Record<string, Step>} */
const STEPS = {
  update: ({ update, newer }) => update(newer),
  'update, and back': async ({ update, newer }) => {
    await update(newer);
    return update(null);
  },
  'update --apps': ({ update, newer }) => update(newer, '--apps'),
  'update --apps, and back': async ({ update, newer }) => {
    await update(newer, '--apps');
    return update(null, '--apps');
  },
  'update --apps, and no new worker can start': async ({ update, other }) =>
    update(await other(BAD_WORKERS), '--apps'),
};
for (const [when, edits] of Object.entries(BROKEN)) {
  STEPS[`update to a version that throws ${when}`] = async ({ update, other }) =>
    update(await other(edits));
}
for (const [words, victims] of VICTIMS) {
  for (const victim of victims) {
    for (const ms of DELAYS) {
      const what = [['update', ...words].join(' '), `${victim} killed after ${ms} ms`].join(', ');
      STEPS[what] = (tools) => killed(tools, victim, ms, words);
    }
  }
}

const { nodes, numbers, strings } = benchArguments({ times: 1 }, { only: '' });
const names = Object.keys(STEPS).filter((name) => name.includes(strings.only));
/** @type {(string | number)[][]} */
const rows = [];
for (const node of nodes) {
  for (const name of names) {
    for (let time = 0; time < numbers.times; time++) rows.push(await measure(node, name));
  }
}
printTable(
  ['Node', 'what', 'exit', 'daemon', 'primary', 'workers kept', 'made', 'in flight', 'lost'],
  rows,
);

/**
 * @typedef {Awaited<ReturnType<typeof prepare>>} Tools
 * @typedef {(tools: Tools) => Promise<number | null>} Step resolves to the exit code
 */

/** @param {string} node @param {string} what */
function measure(node, what) {
  return inHome(async (home) => {
    const tools = await prepare(home, node);
    const before = await tools.look();
    const always = { port: tools.port, clients: 10, thinkMs: 0, failuresKept: Infinity };
    const load = startLoad(always);
    const fresh = startLoad({ ...always, keepAlive: false, prefix: 'f' });
    await load.answers(200);
    const exit = await STEPS[what](tools);
    const whole = await until(() => tools.lookWhole(), 'a whole tree');
    const after = /** @type {NonNullable<typeof whole>} */ (whole);
    await load.answers(1000);
    const results = await Promise.all([load.stop(), fresh.stop()]);
    const made = results[0].made + results[1].made;
    const failures = results.flatMap((result) => result.failures);
    const lost = failures.filter((failure) => !wasInFlight(failure, tools.loss));
    for (const each of lost) console.error(what, each, tools.loss);
    const kept = after.workers.filter((/** @type {number} */ pid) => before.workers.includes(pid));
    const change = (/** @type {'daemon' | 'primary'} */ key) =>
      before[key] === after[key] ? 'same' : `${before[key]} → ${after[key]}`;
    const cells = [change('daemon'), change('primary'), `${kept.length} of 2`, made];
    const counts = [failures.length - lost.length, lost.length];
    const row = [versionOf(node), what, exit ?? 'killed', ...cells, ...counts];
    console.error(row.join(' | '));
    return row;
  });
}

/** @param {Home} home @param {string} node */
async function prepare({ root, begin, startApi, run, list }, node) {
  let count = 0;
  const other = (/** @type {Record<string, (string | RegExp)[][]>} */ edits) =>
    makeOtherVersion(join(root, `version-${count++}`), { ...NEWER, edits });
  const newer = await other({});
  const port = await startApi(['-i', '2'], { node });
  const look = async () => {
    const { daemon, apps } = await list();
    const workers = apps[0].workers.map((/** @type {{pid: number}} */ { pid }) => pid);
    return { daemon: daemon.pid, primary: apps[0].primaryPid, workers, status: apps[0].status };
  };
  const lookWhole = async () => {
    const found = await look();
    const isWhole = found.status === 'online' && found.workers.every(Boolean);
    return isWhole ? found : null;
  };
  const update = async (/** @type {string | null} */ bin, /** @type {string[]} */ ...words) =>
    (await run(['update', ...words], { node, bin: bin ?? undefined })).code;
  /** @type {Loss} */
  const loss = { kind: 'other', exitedAt: 0 };
  return { port, other, newer, look, lookWhole, update, begin, node, root, loss };
}

/**
 * @param {Tools} tools
 * @param {string} victim
 * @param {number} ms after the new daemon or primary was started
 * @param {string[]} words
 */
async function killed({ begin, newer, node, root, look, loss }, victim, ms, words) {
  const before = await look();
  const command = begin(['update', ...words], { node, bin: newer });
  const kind = words.length > 0 ? 'primary' : 'daemon';
  const started = await until(() => find(root, kind, before[kind]), `a new ${kind}`);
  await new Promise((resolve) => setTimeout(resolve, ms));
  const daemons = [before.daemon, find(root, 'daemon', before.daemon)];
  /** @type {Record<string, number | undefined>} */
  const victims = {
    command: command.child.pid,
    'old daemon': daemons[0],
    'new daemon': daemons[1],
    'old primary': before.primary,
    'new primary': started,
  };
  try {
    loss.exitedAt = await kill(/** @type {number} */ (victims[victim]));
    if (victim.endsWith('primary')) loss.kind = 'primary';
  } catch {
    console.error(`${victim} had exited after ${ms} ms`);
  }
  return (await command.ended).code;
}

/** @param {string} root @param {'daemon' | 'primary'} kind @param {number} old its pid */
function find(root, kind, old) {
  const titles = {
    daemon: /nodecluster: daemon|daemon\/main\.js/,
    primary: /nodecluster: api|primary\/main\.js/,
  };
  return processesOf(root).find((pid) => pid !== old && titles[kind].test(commandOf(pid)));
}
