/** The script of OpenRC. Its supervise-daemon starts the daemon again when it exits. */
import path from 'node:path';
import { daemonCommand, daemonEnvironment, errorLog, goneMessage } from './service.js';
import { shellLine, shellWord } from '../shared/quoting.js';

/** @import { Installation, Service } from './service.js' */

/** @param {Service} service @param {string} directory of the scripts @returns {Installation} */
export function openrc(service, directory) {
  const { name } = service;
  return {
    files: [{ path: path.join(directory, name), text: script(service), mode: 0o755 }],
    activate: [
      ['rc-update', 'add', name, 'default'],
      ['rc-service', name, 'restart'],
    ],
    deactivate: [
      ['rc-service', name, 'stop'],
      ['rc-update', 'del', name],
    ],
    forget: [],
    socketUnit: null,
    status: `rc-service ${name} status`,
    log: `cat ${errorLog(service, 'openrc')}`,
  };
}

/** @param {Service} service */
function script(service) {
  const { user, home, node, cli } = service;
  const [command, ...args] = daemonCommand(service);
  const variables = Object.entries(daemonEnvironment(service)).map((pair) => pair.join('='));
  return [
    '#!/sbin/openrc-run',
    '# Written by `nodecluster startup`, removed by `nodecluster unstartup`.',
    `description=${shellWord(`nodecluster: apps of ${user} in ${home}`)}`,
    'supervisor=supervise-daemon',
    `command=${evaluatedWords([command])}`,
    `command_args=${evaluatedWords(args)}`,
    `command_user=${evaluatedWords([user])}`,
    `error_log=${evaluatedWords([errorLog(service, 'openrc')])}`,
    // Not exported: OpenRC finds its own functions by PATH.
    `supervise_daemon_args=${evaluatedWords(variables.flatMap((pair) => ['--env', pair]))}`,
    'respawn_delay=1',
    'respawn_max=0',
    // SIGKILL only for a daemon that hangs; the apps are other processes.
    'retry=TERM/120/KILL/5',
    'rc_ulimit="-n 524288"',
    '',
    'depend() {',
    '\tneed localmount',
    '\tuse net dns logger',
    '\tafter firewall',
    '}',
    '',
    'start_pre() {',
    `\tfor file in ${shellWord(node)} ${shellWord(cli)}; do`,
    `\t\t[ -e "$file" ] || { eerror "${goneMessage('$file')}"; return 1; }`,
    '\tdone',
    '}',
    '',
  ].join('\n');
}

/** OpenRC expands these variables and then evaluates the result. */
function evaluatedWords(/** @type {string[]} */ words) {
  return shellWord(shellLine(words));
}
