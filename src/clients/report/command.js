/** `report`: one file for a bug report. What cannot be had is one line in it. */
import { lstatSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { describeExit } from '../../lifecycle/exit.js';
import { within } from '../../shared/deadline.js';
import { copyOf, readDesiredFile } from '../../shared/files/desired-file.js';
import { listDirectory } from '../../shared/files/inspect-path.js';
import { readOwnedEnd } from '../../shared/files/owned-file.js';
import { writeFile } from '../../shared/files/write-file.js';
import { homePaths } from '../../shared/home.js';
import { runBounded } from '../../shared/processes/bounded-command.js';
import { daemonPid } from '../../shared/processes/daemon-lock.js';
import { MASK, maskText, secretsIn } from '../../shared/secrets.js';
import { formatSize } from '../../shared/units.js';
import { VERSION } from '../../shared/version.js';
import { escapeText } from '../../show/escape.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { Context } from '../../cli/context.js'
 *
 * @typedef {{name: string, text: string}} Entry
 */

/** @type {CommandData} */
export const command = {
  summary: 'write a file for a bug report, with secrets masked',
  details:
    'When you report a bug: versions, what ls, describe, why, events and doctor show, the end of the logs of nodecluster ' +
    '(not those of programs), its processes, files and limits, in one text file in the current directory, which only you can read. ' +
    'Read it before you send it: secrets are found by their names and forms, and one without either is not. ' +
    'It works without a daemon and starts none.',
  arguments: [],
  options: [{ flags: '--print', summary: 'print what it would contain, and write no file' }],
  examples: ['nodecluster report --print | less', 'nodecluster report'],
};

/** @type {Run} */
export async function run(context) {
  const { options, cwd, note, print, write } = context;
  const parts = (await gather(context)).map(({ name, text }) => {
    const size = formatSize(Buffer.byteLength(text));
    return `==> ${size} ${escapeText(name)}\n${escapeText(text)}\n`;
  });
  if (options.print) {
    for (const part of parts) await write(part);
    return 0;
  }
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const file = path.resolve(cwd, `nodecluster-report-${time}-${process.pid}.txt`);
  await writeFile(file, parts.join(''), { force: false, isPrivate: true });
  print(escapeText(file));
  note('Secrets that nodecluster knows are masked. Read it before you send it.');
  return 0;
}

/** ms for the daemon to be found, and then for all views together, which are asked for at once. */
const MAX_WAIT_MS = 10_000;
/** Bytes of the end of each log file. */
const MAX_LOG = 256 * 1024;

const PLAIN = { isTerminal: false, width: null, colours: false };

/** @type {[command: string, given: object][]} */
const VIEWS = [
  ['ls', {}],
  ['describe', { words: ['all'] }],
  ['why', {}],
  ['events', { options: { follow: false } }],
  ['doctor', {}],
];

const MACHINE = ['/etc/os-release', '/proc/version', '/proc/meminfo'];

/** @param {Context} context @returns {Promise<Entry[]>} masked */
async function gather(context) {
  const paths = homePaths(context.daemons.home);
  const known = secretsIn(settingsOf(paths.desired)).sort(
    (one, other) => other.length - one.length,
  );
  const { views, daemon } = await askDaemon(context);
  const parts = [paths.appsDir, paths.primariesDir]
    .filter(isNoLink)
    .flatMap((directory) => listDirectory(directory).map((name) => path.join(directory, name)));
  const directories = [paths.home, ...parts.filter(isNoLink)];
  const pid = attempt(() => daemonPid(paths.home), null) ?? process.pid;
  const ofDaemon = ['limits', 'cgroup', 'status'].map((name) => `/proc/${pid}/${name}`);
  /** @type {Entry[]} */
  const entries = [
    { name: 'versions.txt', text: `${versions()}\n${daemon}` },
    ...views,
    ...logsIn(directories, paths.home),
    { name: 'home.txt', text: await outputOf(['ls', '-lan', ...directories, paths.logs]) },
    { name: 'disk.txt', text: await outputOf(['df', '-k', paths.home]) },
    { name: 'processes.txt', text: await processes(paths.home) },
    { name: 'machine.txt', text: await outputOf(['grep', '', ...MACHINE, ...ofDaemon]) },
  ];
  return entries.map(({ name, text }) => {
    const shown = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text.trimEnd());
    return { name, text: `${maskText(shown)}\n` };
  });
}

/** @param {Context} context @returns {Promise<{views: Entry[], daemon: string}>} */
async function askDaemon(context) {
  const found = context.daemons.find();
  const reach = async () => {
    const client = await found;
    if (client) return client;
    throw new Error('no daemon runs');
  };
  const daemon = await orLine(async () => {
    const client = await reach();
    return `daemon: ${JSON.stringify(await client.request('ping', {}))}`;
  });
  // Each view as its command would print it, but none starts or kills a daemon.
  const { home } = context.daemons;
  const daemons = { home, find: () => found, open: reach, start: reach, close() {} };
  const views = VIEWS.map(async ([command, given]) => {
    let text = '';
    const add = (/** @type {string} */ line) => void (text += `${line}\n`);
    /** @type {any} */
    const io = {
      stdout: PLAIN,
      stderr: PLAIN,
      tty: null,
      print: add,
      note: add,
      openForApps: reach,
      write: async (/** @type {string} */ more) => Boolean((text += more)),
      daemons,
    };
    const show = () => context.runCommand(command, given, io).then(() => text);
    return { name: `${command}.txt`, text: await orLine(show) };
  });
  return { views: await Promise.all(views), daemon };
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

/** What a link in the home names is no part of it, and may be a secret. @param {string} file */
function isNoLink(file) {
  return attempt(() => !lstatSync(file).isSymbolicLink(), false);
}

/** The settings by which secrets are known: those of the copy if the first are damaged. @param {string} file */
function settingsOf(file) {
  const read = (/** @type {string} */ each) => JSON.parse(readDesiredFile(each) ?? 'null');
  return attempt(() => read(file), null) ?? attempt(() => read(copyOf(file)), null);
}

/** Also those that were rotated. Not those of programs, which may contain anything. @param {string[]} directories @param {string} home */
function logsIn(directories, home) {
  return directories.flatMap((directory) => {
    const names = listDirectory(directory).filter((name) => /\.log(\.\d+)?$/.test(name));
    return names.map((each) => {
      const name = path.relative(home, path.join(directory, each));
      return {
        name,
        text: endOfLog(directory, each) || lacking(`${name} cannot be read or is empty`),
      };
    });
  });
}

/** @param {string} directory @param {string} name */
function endOfLog(directory, name) {
  const text = readOwnedEnd(path.join(directory, name), statSync(directory).uid, MAX_LOG);
  // Of a secret, a part would not be found.
  return Buffer.byteLength(text) < MAX_LOG ? text : text.replace(/^.*\n?/, '');
}

/** Not those of others, which may have secrets in their arguments. @param {string} home */
async function processes(home) {
  const all = await outputOf(['ps', '-ewwo', 'pid,ppid,user,stat,etime,rss,args']);
  const isOwn = (/** @type {string} */ line) => line.includes('nodecluster') || line.includes(home);
  return all
    .split('\n')
    .filter((line, index) => index === 0 || isOwn(line))
    .join('\n');
}

/** @param {string[]} command @returns {Promise<string>} */
async function outputOf(command) {
  const { PATH = '' } = process.env;
  const context = { cwd: '/', env: { PATH, LC_ALL: 'C' } };
  const limits = { timeoutMs: MAX_WAIT_MS, maxStdout: MAX_LOG };
  return orLine(async () => {
    const { stdout, exit, excess } = await runBounded(command, context, limits);
    return stdout || lacking(`${command[0]} ${excess ?? describeExit(exit)}`);
  });
}
