/** What is wrong on a machine, decided from facts. */
import path from 'node:path';
import { exitCodes } from '../../errors/exit-codes.js';
import { shellLine, shellWord } from '../../shared/quoting.js';
import { compareVersions } from '../../shared/version.js';

/**
 * @import { Facts } from './gather.js'
 *
 * @typedef {object} Finding
 * @property {'error' | 'warning'} severity warning: it works, but not for ever or not with all
 * @property {string} code for programs
 * @property {string} text
 * @property {string} command to type
 * @property {number} exitCode of an error
 */

/** @param {Facts} facts @returns {Finding[]} errors first */
export function findingsOf(facts) {
  const { damaged, exhausted, disks, missing, own } = facts;
  const found = [
    ...homeFindings(facts),
    ...(damaged ? [damagedFinding(damaged)] : []),
    ...daemonFindings(facts),
    ...exhausted.map((app) => exhaustedFinding(app, own)),
    ...disks.map(diskFinding),
    ...missing.map(serviceFinding),
  ];
  return found.sort((one, other) => one.severity.localeCompare(other.severity));
}

/** @param {Facts} facts @returns {Finding[]} */
function homeFindings({ fault, home, own, closed }) {
  if (fault) {
    const { code, message, exitCode } = fault;
    return [error(code, message, lineAgainst(fault, home, own.uid), exitCode)];
  }
  const text = `User ${own.uid} may not use ${closed.join(', ')}, which nodecluster needs.`;
  return closed.length > 0 ? [error('home-closed', text, lineToOpen(closed))] : [];
}

/** @param {string[]} files perhaps of another user, which `ls` shows */
function lineToOpen(files) {
  const words = shellLine(files);
  return `chmod u+rwX ${words} || ls -ld ${words}`;
}

/** @param {NonNullable<Facts['damaged']>} damaged @returns {Finding} */
function damagedFinding({ file, hasCopy }) {
  const head = `${file}, which lists the apps, is damaged`;
  if (hasCopy)
    return warning('list-damaged', `${head}. The next daemon uses its copy.`, 'nodecluster ls');
  const text =
    `${head}, and its copy is damaged or missing too. The next daemon knows only apps that still run: ` +
    'restore the file from a backup first, or start the apps again.';
  return error('list-damaged', text, `ls -l ${shellWord(file)}*`);
}

/** @param {NonNullable<Facts['fault']>} fault @param {string} home @param {number} uid @returns {string} */
function lineAgainst({ code, data }, home, uid) {
  const { directory = '', owner, file, pid, reason, socket } = data;
  const at = shellWord(directory);
  if (code === 'E_HOME_OPEN') return `chmod 700 ${at}`;
  // A link may lead to the home in which the apps run.
  if (code === 'E_HOME_UNUSABLE')
    return `ls -ld ${shellWord(path.dirname(directory))} ${at}   # or set NODECLUSTER_HOME to a directory of your own`;
  if (reason === 'EACCES') return lineToOpen([file ?? socket]);
  if (code === 'E_HOME_READ') return `ls -ld ${shellWord(file)}`;
  if (code === 'E_HOME_FOREIGN') {
    // Most often sudo kept HOME. Any other owner runs apps there.
    return owner === 0
      ? `sudo chown -R ${uid} ${at}   # unless apps of root run there`
      : `sudo -u '#${owner}' env NODECLUSTER_HOME=${shellWord(home)} nodecluster doctor`;
  }
  const isFrozen = pid && code === 'E_DAEMON_SILENT';
  return isFrozen ? `kill -9 ${pid} && nodecluster ls` : 'nodecluster ls';
}

/** @param {Facts} facts @returns {Finding[]} */
function daemonFindings({ daemon, down, own }) {
  if (down.length > 0) {
    const text = `No daemon runs, so nothing starts ${down.join(', ')}.`;
    return [error('apps-down', text, 'nodecluster ls', exitCodes.appFailed)];
  }
  if (!daemon || (daemon.version === own.version && daemon.node === own.node)) return [];
  const { pid, version, node } = daemon;
  const text =
    `The daemon (pid ${pid}) is nodecluster ${version} on Node ${node.slice(1)}; ` +
    `this command is ${own.version} on Node ${own.node.slice(1)}.`;
  const order = compareVersions(version, own.version) || compareVersions(node, own.node);
  // `update` would bring the older one.
  const line = order > 0 ? 'which -a nodecluster node   # use the newer one' : 'nodecluster update';
  return [warning('daemon-version', text, line)];
}

/** @param {Facts['exhausted'][number]} app @param {Facts['own']} own @returns {Finding} */
function exhaustedFinding({ name, primaryPid }, { uid }) {
  const text = `${name} has used up its file descriptors: each file and each connection needs one.`;
  // New workers have the limit of their primary; root may be without sudo.
  const raise = `${uid === 0 ? '' : 'sudo '}prlimit --nofile=65536 --pid ${primaryPid}`;
  const line = `${raise} && nodecluster reload ${shellWord(name)}   # for good: LimitNOFILE=65536 in its service`;
  return error('limit-reached', text, line);
}

/** @param {Facts['disks'][number]} disk @returns {Finding} */
function diskFinding({ directory, hasInodes, text }) {
  const line = `du ${hasInodes ? '-k' : '--inodes'} -x -d 3 ${shellWord(directory)} | sort -n | tail`;
  return error('disk-full', `No room is left on ${text}.`, line);
}

/** @param {Facts['missing'][number]} missing @returns {Finding} */
function serviceFinding({ file, by, isOfUser }) {
  const text = `The service that starts the daemon at boot (${by}) points to ${file}, which does not exist.`;
  return error('service-broken', text, `nodecluster startup${isOfUser ? ' --user' : ''}`);
}

/** @param {string} code @param {string} text @param {string} command @param {number} [exitCode] @returns {Finding} */
function error(code, text, command, exitCode = exitCodes.environment) {
  return { severity: 'error', code, text, command, exitCode };
}

/** @param {string} code @param {string} text @param {string} command @returns {Finding} */
function warning(code, text, command) {
  return { ...error(code, text, command), severity: 'warning' };
}
