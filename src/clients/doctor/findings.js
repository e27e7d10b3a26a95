/** What is wrong on a machine, decided from facts. */
import path from 'node:path';
import { exitCodes } from '../../errors/exit-codes.js';
import { shellLine, shellWord } from '../../shared/quoting.js';
import { compareVersions } from '../../shared/version.js';

/**
 * @import { FullDisk } from '../../api/full-disks.js'
 * @import { Clock } from './clock.js'
 * @import { Limit } from './limits.js'
 * @import { MissingFile } from './service.js'
 *
 * @typedef {object} Facts
 * @property {{version: string, node: string, uid: number, platform: string, hasSudo: boolean}} own of this command
 * @property {number} now epoch ms
 * @property {Fault | null} fault of the home directory or its list of apps, or of a daemon that runs and does not answer
 * @property {string} home
 * @property {{pid: number, version: string, node: string} | null} daemon null: none runs, or it does not answer
 * @property {number[]} primaries pids
 * @property {{file: string, hasCopy: boolean} | null} damaged list of apps, which no daemon writes anew
 * @property {string[]} down apps that should run, and that nothing starts
 * @property {{app: string, place: string, holder: string}[]} ports that apps need and others have
 * @property {Limit[]} limits of the daemon or, without one, of this process
 * @property {{directory: string, code: string, mount: string} | null} unwritable the home, or where it would be made
 * @property {string[]} closed files and directories of the home that this user may not read or write
 * @property {FullDisk[]} disks
 * @property {MissingFile[]} missing
 * @property {Clock} clock
 *
 * @typedef {{code: string, message: string, data: Record<string, any>, exitCode: number}} Fault
 *
 * @typedef {object} Finding
 * @property {'error' | 'warning'} severity warning: it works, but not for ever or not with all
 * @property {string} code for programs
 * @property {string} text
 * @property {string} command to type
 * @property {number} exitCode of an error
 */

/**
 * First day without updates of each release line that nodecluster runs on, from Node's own schedule:
 * https://github.com/nodejs/Release/blob/main/schedule.json
 */
const END_OF_LIFE = Object.entries({
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
  27: '2030-04-30',
});

/** @param {Facts} facts @returns {Finding[]} errors first */
export function findingsOf(facts) {
  const found = [
    ...homeFindings(facts),
    ...(facts.damaged ? [damagedFinding(facts.damaged)] : []),
    ...daemonFindings(facts),
    ...facts.ports.map(portFinding),
    ...facts.limits.flatMap((limit) => limitFindings(limit, facts)),
    ...facts.disks.map(diskFinding),
    ...facts.missing.map(serviceFinding),
    ...clockFindings(facts),
    ...nodeFindings(facts),
  ];
  return found
    .sort((one, other) => one.severity.localeCompare(other.severity))
    .map((each) => ({ ...each, command: withoutSudo(each.command, facts.own) }));
}

/** Root needs none, and it may not be there. @param {string} line @param {Facts['own']} own */
function withoutSudo(line, { uid, hasSudo }) {
  if (uid !== 0 && hasSudo) return line;
  const bare = line.replaceAll(/\bsudo (?!-u)/g, '');
  return bare === line || uid === 0 ? bare : `${bare}   # as root`;
}

/** @param {Facts} facts @returns {Finding[]} */
function homeFindings({ fault, home, own, unwritable, closed }) {
  if (fault) {
    const { code, message, exitCode } = fault;
    return [error(code, message, lineAgainst(fault, { home, uid: own.uid }), exitCode)];
  }
  if (!unwritable) {
    const text = `User ${own.uid} may not use ${closed.join(', ')}, which nodecluster needs.`;
    return closed.length > 0 ? [error('home-closed', text, lineToOpen(closed))] : [];
  }
  const { directory, code } = unwritable;
  const reason = `nothing can be written to ${directory} (${code})`;
  const text = `The home directory ${home} cannot be ${directory === home ? 'used' : 'made'}: ${reason}.`;
  return [error('home-unwritable', text, lineToWrite(unwritable, home))];
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

/** @param {NonNullable<Facts['unwritable']>} unwritable @param {string} home @returns {string} */
function lineToWrite({ directory, code, mount }, home) {
  if (code === 'EROFS') return `sudo mount -o remount,rw ${shellWord(mount)}`;
  if (directory === home) return `chmod 700 ${shellWord(home)}`;
  return `ls -ld ${shellWord(directory)}   # or set NODECLUSTER_HOME to a directory of your own`;
}

/** @param {Fault} fault @param {{home: string, uid: number}} own @returns {string} */
function lineAgainst({ code, data }, { home, uid }) {
  const { directory = '', owner, file, reason, socket } = data;
  const at = shellWord(directory);
  if (code === 'E_HOME_OPEN') return `chmod 700 ${at}`;
  // A link may lead to the home in which the apps run.
  if (code === 'E_HOME_NOT_A_DIRECTORY')
    return `ls -ld ${at}   # a link: set NODECLUSTER_HOME to its target; a file: move it away`;
  if (code === 'E_HOME_UNUSABLE')
    return lineToWrite({ directory: path.dirname(directory), code: '', mount: '' }, home);
  if (reason === 'EACCES') return lineToOpen([file ?? socket]);
  if (code === 'E_HOME_READ') return `ls -ld ${shellWord(file)}`;
  if (code === 'E_HOME_FOREIGN') {
    // Most often sudo kept HOME. Any other owner runs apps there.
    return owner === 0
      ? `sudo chown -R ${uid} ${at}   # unless apps of root run there`
      : `sudo -u '#${owner}' env NODECLUSTER_HOME=${shellWord(home)} nodecluster doctor`;
  }
  return lineToDaemon(code, data);
}

/** @param {string} code @param {Fault['data']} data */
function lineToDaemon(code, { pid, socket }) {
  // Another program has its socket.
  if (pid === null) return `mv ${shellLine([socket, `${socket}.aside`])} && nodecluster ls`;
  const isFrozen = pid && ['E_DAEMON_SILENT', 'E_DAEMON_UNREACHABLE'].includes(code);
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

/** @param {Facts['ports'][number]} fact @returns {Finding} */
function portFinding({ app, place, holder }) {
  const text = `${app} cannot listen on ${place}: it is in use by ${holder}.`;
  const line = `nodecluster reload ${shellWord(app)} --set-env PORT=0`;
  const command = `${line}   # any free port; or another one, or end that program`;
  return error('port-in-use', text, command, exitCodes.appFailed);
}

/** Of a limit, from which it is nearly reached. */
const NEARLY = 0.9;
/** Descriptors that a busy proxy with many keep-alive connections needs. */
const FEW_DESCRIPTORS = 4096;
/** With which a daemon does not start. */
const TOO_FEW_DESCRIPTORS = 72;
/** Threads of a daemon, a primary or a worker, about. */
const TASKS_OF_NODE = 11;

/** @param {Limit} limit @param {Facts} facts @returns {Finding[]} */
function limitFindings(limit, facts) {
  const { of, used, max } = limit;
  if (max === null) return [];
  const command = lineToRaise(limit, max, facts);
  const isOfFiles = of === 'descriptors';
  const text = usedText(limit, facts);
  if (used !== null && (used >= max * NEARLY || (!isOfFiles && max - used < TASKS_OF_NODE))) {
    return [error('limit-reached', text, command)];
  }
  if (isOfFiles && max < FEW_DESCRIPTORS) return [fewFinding(max, facts, command)];
  // The daemon, a primary and a worker; a reload needs the last for each new worker.
  const isTight = !isOfFiles && used !== null && max - used < 3 * TASKS_OF_NODE;
  return isTight ? [warning('limit-low', text, command)] : [];
}

/** @param {number} max descriptors @param {Facts} facts @param {string} line */
function fewFinding(max, { daemon }, line) {
  const what = daemon ? 'The daemon and each worker' : 'A daemon that this shell starts';
  const isEnough = daemon || max > TOO_FEW_DESCRIPTORS;
  const text = `${what} may open at most ${max} files and connections${isEnough ? '' : ', too few to start'}.`;
  return (isEnough ? warning : error)('limit-low', text, line);
}

/** @param {Limit} limit @param {Facts} facts */
function usedText({ of, used, max, unit }, { own, daemon }) {
  const count = `${used} of at most ${max}`;
  if (of === 'descriptors') return `The daemon uses ${count} file descriptors.`;
  const owners = {
    user: `User ${own.uid} (ulimit -u of ${daemon ? 'the daemon' : 'this shell'})`,
    group: `The control group ${unit ? unit.name : 'of this container'} (pids.max)`,
    pid_max: 'This machine (kernel.pid_max)',
    'threads-max': 'This machine (kernel.threads-max)',
  };
  return `${owners[of]} has ${count} processes and threads.`;
}

/** @param {Limit} limit @param {number} max @param {Facts} facts @returns {string} */
function lineToRaise({ of, unit }, max, { own, daemon, primaries }) {
  const systemctl = unit?.isOfUser ? 'systemctl --user' : 'sudo systemctl';
  if (of === 'pid_max' || of === 'threads-max') return `sudo sysctl -w kernel.${of}=${max * 2}`;
  if (of === 'group') {
    return unit
      ? `${systemctl} set-property ${shellWord(unit.name)} TasksMax=infinity`
      : 'grep . /sys/fs/cgroup/pids.*   # on its host: docker update --pids-limit=-1, and its name';
  }
  const [setting, flag] = of === 'descriptors' ? ['NOFILE', '-n'] : ['NPROC', '-u'];
  if (unit) return `${systemctl} edit ${shellWord(unit.name)}   # [Service] Limit${setting}=65536`;
  // Only Linux has prlimit.
  if (own.platform !== 'linux') return `ulimit ${flag} "$(ulimit -H ${flag})"`;
  const raise = `sudo prlimit --${setting.toLowerCase()}=65536 --pid`;
  if (!daemon) return `${raise} $$`;
  // Each process has a limit of its own; new workers have that of their primary.
  const pids = [daemon.pid, ...primaries].join(' ');
  return `echo ${pids} | xargs -n 1 ${raise} && nodecluster reload all`;
}

/** @param {FullDisk} disk @returns {Finding} */
function diskFinding({ directory, hasInodes, text }) {
  const line = `du ${hasInodes ? '-k' : '--inodes'} -x -d 3 ${shellWord(directory)} | sort -n | tail`;
  return error('disk-full', `No room is left on ${text}.`, line);
}

/** @param {MissingFile} missing @returns {Finding} */
function serviceFinding({ file, by, isOfUser }) {
  const what =
    file === by ? 'is empty, or a broken link' : `points to ${file}, which does not exist`;
  const text = `The service that starts the daemon at boot (${by}) ${what}.`;
  return error('service-broken', text, `nodecluster startup${isOfUser ? ' --user' : ''}`);
}

/** @param {Facts} facts @returns {Finding[]} */
function clockFindings({ clock: { firstYear, future, isSynchronized }, now }) {
  const date = isoTime(now);
  if (firstYear !== null && new Date(now).getUTCFullYear() < firstYear) {
    const text = `The clock says ${date}, but this Node was built in ${firstYear} or later. TLS needs the right time.`;
    return [
      error('clock-wrong', text, 'sudo timedatectl set-ntp true   # in a container: on its host'),
    ];
  }
  if (future) {
    const text = `The clock says ${date}, but ${future.file} was written at ${isoTime(future.at)}: the clock is wrong, or was.`;
    const line = `date   # if it is right: touch ${shellWord(future.file)}`;
    return [warning('clock-set-back', text, line)];
  }
  if (isSynchronized !== false) return [];
  const text = 'The clock of this machine is not synchronised with a time server.';
  return [warning('clock-alone', text, 'sudo timedatectl set-ntp true')];
}

/** @param {number} time epoch ms */
function isoTime(time) {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** @param {Facts} facts @returns {Finding[]} */
function nodeFindings({ own, daemon, now }) {
  const nodes = [...new Set([own.node, ...(daemon ? [daemon.node] : [])])];
  return nodes.flatMap((node) => {
    const major = node.slice(1).split('.')[0];
    const [, end] = END_OF_LIFE.find(([line]) => line === major) ?? [];
    if (end === undefined || now < Date.parse(end)) return [];
    const text = `Node ${node.slice(1)} has had no security updates since ${end}.`;
    const line = 'nodecluster update --apps   # on a newer Node: nvm install --lts';
    return [warning('node-end-of-life', text, line)];
  });
}

/** @param {string} code @param {string} text @param {string} command @param {number} [exitCode] @returns {Finding} */
function error(code, text, command, exitCode = exitCodes.environment) {
  return { severity: 'error', code, text, command, exitCode };
}

/** @param {string} code @param {string} text @param {string} command @returns {Finding} */
function warning(code, text, command) {
  return { ...error(code, text, command), severity: 'warning' };
}
