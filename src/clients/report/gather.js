/** What a report contains. What cannot be had is one line in it. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { listDirectory } from '../../shared/files/inspect-path.js';
import { readDesiredFile } from '../../shared/files/small-file.js';
import { homePaths } from '../../shared/home.js';
import { maskText, secretsIn } from '../../shared/mask-text.js';
import { daemonPid } from '../../shared/processes/daemon-lock.js';
import { maskSecrets } from '../../shared/secrets.js';
import { formatSize } from '../../shared/units.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Entry } from './archive.js'
 */

/** ms for the daemon to be found, and then for all views together, which are asked for at once. */
const MAX_WAIT_MS = 10_000;
/** Bytes of the end of each log file. */
const MAX_LOG = 256 * 1024;
const MAX_FACT = 64 * 1024;

const PLAIN = { isTerminal: false, width: null, colours: false };

/** @type {[command: string, given: object][]} */
const VIEWS = [
  ['ls', {}],
  ['describe', { words: ['all'] }],
  ['why', {}],
  ['events', { options: { follow: false } }],
];

/** @param {string} directory @param {string} names separated by blanks */
const filesIn = (directory, names) => names.split(' ').map((name) => path.join(directory, name));
const FACTS = [
  ...filesIn('/proc', 'version meminfo loadavg uptime'),
  '/etc/os-release',
  ...filesIn(
    '/proc/sys/fs',
    'file-max file-nr inotify/max_user_watches inotify/max_user_instances',
  ),
  ...filesIn('/proc/sys/kernel', 'pid_max threads-max'),
  ...filesIn('/proc/sys/net/core', 'somaxconn'),
  ...filesIn(
    '/proc/sys/net/ipv4',
    'ip_local_port_range ip_unprivileged_port_start tcp_max_syn_backlog',
  ),
  '/proc/sys/vm/overcommit_memory',
];
const CGROUP_FILES =
  'memory.max memory.high memory.current memory.events cpu.max cpu.stat pids.max pids.current';

/** @param {Context} context @returns {Promise<Entry[]>} masked */
export async function gather(context) {
  const paths = homePaths(context.daemons.home);
  const desired = attempt(() => JSON.parse(readDesiredFile(paths.desired) ?? 'null'), null);
  const known = secretsIn(desired).sort((one, other) => other.length - one.length);
  const { views, daemon } = await askDaemon(context);
  /** @type {Entry[]} */
  const entries = [
    { name: 'versions.txt', text: `${versions()}\n${daemon}` },
    ...views,
    { name: 'settings.json', text: settingsOf(paths.desired) },
    ...logsOf(paths.home, paths.appsDir),
    { name: 'machine.txt', text: machine(context.daemons.home) },
  ];
  return entries.map(({ name, text }) => ({ name, text: maskText(text.trimEnd(), known) + '\n' }));
}

/** @param {Context} context @returns {Promise<{views: Entry[], daemon: string}>} */
async function askDaemon(context) {
  /** @type {DaemonClient | null} */
  let client = null;
  const daemon = await orLine(async () => {
    client = await context.daemons.find();
    if (!client) throw new Error('no daemon runs');
    return `daemon: ${JSON.stringify(await client.request('ping', {}))}`;
  });
  const views = VIEWS.map(async ([command, given]) => ({
    name: `${command}.txt`,
    text: client ? await orLine(() => viewOf(context, client, command, given)) : daemon,
  }));
  return { views: await Promise.all(views), daemon };
}

/**
 * The command as it would be typed, but it neither starts nor kills a daemon.
 * @param {Context} context
 * @param {DaemonClient | null} client
 * @param {string} command
 * @param {object} given
 */
async function viewOf(context, client, command, given) {
  let text = '';
  const add = (/** @type {string} */ line) => void (text += `${line}\n`);
  const reach = async () => client;
  const { home } = context.daemons;
  await context.runCommand(
    command,
    given,
    /** @type {any} */ ({
      stdout: PLAIN,
      stderr: PLAIN,
      tty: null,
      print: add,
      note: add,
      openForApps: reach,
      write: async (/** @type {string} */ more) => Boolean((text += more)),
      daemons: { home, find: reach, open: reach, start: reach, close() {} },
    }),
  );
  return text;
}

/** @param {() => Promise<string>} work @returns {Promise<string>} never rejects */
async function orLine(work) {
  const text = within(work(), MAX_WAIT_MS).catch((thrown) => lacking(messageOf(thrown)));
  return (await text) ?? lacking(`no reply within ${MAX_WAIT_MS / 1000} s`);
}

/** @param {string} reason */
function lacking(reason) {
  return `Not available: ${reason}`;
}

/** @param {unknown} thrown @returns {string} one line */
function messageOf(thrown) {
  return (thrown instanceof Error ? thrown.message : String(thrown)).replaceAll('\n', ' ');
}

function versions() {
  const { version, platform, arch, execPath } = process;
  return [
    `nodecluster ${VERSION}`,
    `Node ${version} (${execPath}), ${platform} ${arch}`,
    `kernel ${os.release()}, ${os.availableParallelism()} CPUs, ${formatSize(os.totalmem())} of memory`,
  ].join('\n');
}

/** @param {string} file */
function settingsOf(file) {
  try {
    const text = readDesiredFile(file);
    if (text === null) return lacking('no app was saved');
    // Of what the shell had, the names only: most of it has nothing to do with the app.
    const shorten = (/** @type {string} */ key, /** @type {any} */ value) =>
      key === 'shellEnv' && value ? Object.keys(value) : value;
    return JSON.stringify(maskSecrets(JSON.parse(text)), shorten, 2);
  } catch (thrown) {
    return lacking(messageOf(thrown));
  }
}

/** Not those of programs, which may contain anything. @param {string} home @param {string} appsDir @returns {Entry[]} */
function logsOf(home, appsDir) {
  const directories = [home, ...listDirectory(appsDir).map((name) => path.join(appsDir, name))];
  const files = directories.flatMap((directory) =>
    listDirectory(directory)
      .filter((name) => name.endsWith('.log'))
      .map((name) => path.join(directory, name)),
  );
  return files
    .map((file) => ({ name: path.relative(home, file), text: endOf(file, MAX_LOG) }))
    .filter(({ text }) => text !== '');
}

/** @param {string} home */
function machine(home) {
  const [, group = '/'] = /^0::(.*)$/m.exec(endOf('/proc/self/cgroup', MAX_FACT)) ?? [];
  const cgroup = path.join('/sys/fs/cgroup', group);
  const daemon = attempt(() => daemonPid(home), null);
  const files = [
    ...FACTS,
    '/proc/self/limits',
    ...(daemon === null ? [] : [`/proc/${daemon}/limits`]),
    ...filesIn(cgroup, CGROUP_FILES),
  ];
  return files.map((file) => `== ${file}\n${endOf(file, MAX_FACT).trimEnd()}\n`).join('\n');
}

/**
 * What stands in the place of a file may be anything, and belong to another user.
 * @param {string} file
 * @param {number} maxBytes
 * @returns {string} its end, in whole lines
 */
function endOf(file, maxBytes) {
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    const follow = file.startsWith('/etc/') ? 0 : O_NOFOLLOW;
    const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | follow);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return lacking(`${file} is not a regular file`);
      const start = Math.max(0, stats.size - maxBytes);
      const buffer = Buffer.alloc(maxBytes);
      const text = buffer.toString(
        'utf8',
        0,
        readSync(descriptor, buffer, 0, maxBytes, start || null),
      );
      return start > 0 ? text.slice(text.indexOf('\n') + 1) : text;
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    return lacking(messageOf(thrown));
  }
}
