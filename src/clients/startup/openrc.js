/** The script of OpenRC. Its supervise-daemon starts the daemon again when it exits. */
import path from 'node:path';
import { GONE, daemonEnvironment, errorLog } from './service.js';
import { shellLine, shellWord } from '../../shared/quoting.js';

/** @import { InitSystem, Service } from './service.js' */

/** @type {InitSystem} */
export const openrc = {
  mark: '/run/openrc',
  platforms: ['gentoo'],
  installation(service) {
    const { name } = service;
    return {
      units: [
        {
          path: path.join('/etc/init.d', name),
          text: script(service),
          mode: 0o755,
          activate: [
            ['rc-update', 'add', name, 'default'],
            ['rc-service', name, 'restart'],
          ],
          deactivate: [
            ['rc-service', name, 'stop'],
            ['rc-update', 'del', name],
          ],
        },
      ],
      forget: [],
      status: `rc-service ${name} status`,
      log: `cat ${errorLog(service, 'openrc')}`,
    };
  },
};

/**
 * Variables are not exported, since OpenRC finds its own functions by PATH. SIGKILL is only for a daemon that hangs: the
 * apps are other processes.
 * @param {Service} service
 */
function script(service) {
  const { user, home, node, cli } = service;
  const variables = Object.entries(daemonEnvironment(service)).map((pair) => pair.join('='));
  return `#!/sbin/openrc-run
# Written by \`nodecluster startup\`, removed by \`nodecluster unstartup\`.
description=${shellWord(`nodecluster: apps of ${user} in ${home}`)}
supervisor=supervise-daemon
command=${evaluatedWords([node])}
command_args=${evaluatedWords([cli, 'daemon'])}
command_user=${evaluatedWords([user])}
error_log=${evaluatedWords([errorLog(service, 'openrc')])}
supervise_daemon_args=${evaluatedWords(variables.flatMap((pair) => ['--env', pair]))}
respawn_delay=1
respawn_max=0
retry=TERM/120/KILL/5
rc_ulimit="-n 524288"

depend() {
	need localmount
	use net dns logger
	after firewall
}

start_pre() {
	for file in ${shellWord(node)} ${shellWord(cli)}; do
		[ -e "$file" ] || { eerror "${GONE}"; return 1; }
	done
}
`;
}

/** OpenRC expands these variables and then evaluates the result. */
function evaluatedWords(/** @type {string[]} */ words) {
  return shellWord(shellLine(words));
}
