/** The daemon of one home directory as a service of the machine, whatever its init system. */
import { createHash } from 'node:crypto';
import path from 'node:path';

/**
 * @typedef {object} Service
 * @property {string} name of the unit or script, without a suffix
 * @property {'system' | 'user'} scope user: of the user's own manager, which needs no root
 * @property {string} user
 * @property {string} home of nodecluster
 * @property {string} node absolute path; pinned, so that another Node in PATH changes nothing
 * @property {string} cli absolute path of the command
 * @property {Record<string, string>} env what the apps and the daemon need besides
 * @property {readonly string[]} sockets addresses that systemd opens for it
 * @property {readonly string[]} credentials `name:path` of files that systemd reads as root for it
 *
 * @typedef {object} Unit a file, and the commands that make it count
 * @property {string} path
 * @property {string | null} text null: one of an earlier `startup` stays as it is
 * @property {number} [mode] default: 0o644
 * @property {string[][]} activate now and at boot; a daemon that runs hands over to the service
 * @property {string[][]} deactivate before the file is removed; the apps keep running
 * @property {string[]} [check] fails if it could not be activated now, and will be at the next boot
 *
 * @typedef {object} Installation
 * @property {Unit[]} units the last one is activated, and deactivated, first
 * @property {string[][]} forget after files were removed
 * @property {string} status the command that shows how it is
 * @property {string} log the command that shows why it failed
 *
 * @typedef {object} InitSystem
 * @property {string} mark exists where it runs, as sd_booted(3) and OpenRC tell
 * @property {string[]} platforms PM2's names for it
 * @property {(service: Service, user: {uid: number, configHome: string, userHome: string}) => Installation} installation
 */

/** EX_CONFIG of sysexits.h: only a person can repair it. */
const EXIT_GONE = 78;

/** Two homes have two names. @param {Pick<Service, 'scope' | 'user' | 'home'> & {userHome: string}} owner */
export function serviceName({ scope, user, userHome, home }) {
  const base = scope === 'user' ? 'nodecluster' : `nodecluster-${plain(user)}`;
  if (home === path.join(userHome, '.nodecluster')) return base;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 6);
  return [base, plain(path.basename(home)), hash].filter(Boolean).join('-');
}

/** @param {string} text @returns {string} with characters that every init system takes in a name */
function plain(text) {
  return text.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-+|-+$/g, '');
}

/** @param {Service} service @returns {Record<string, string>} */
export function daemonEnvironment({ env, home, name }) {
  return { NODECLUSTER_HOME: home, NODECLUSTER_SERVICE: name, ...env };
}

/** Only failed starts write to it: the daemon has daemon.log. @param {Service} service @param {string} initSystem */
export function errorLog({ home }, initSystem) {
  return path.join(home, `${initSystem}.log`);
}

/** For /bin/sh: says that Node or nodecluster is gone, or becomes the daemon. @param {Service} service @param {string} [prefix] of the message */
export function checkedStart({ node, cli }, prefix = '') {
  const script =
    'for file in "$0" "$1"; do [ -e "$file" ] || ' +
    `{ echo "${prefix}${GONE}" >&2; exit ${EXIT_GONE}; }; ` +
    'done; exec "$0" "$@"';
  return ['/bin/sh', '-c', script, node, cli, 'daemon'];
}

/** In a shell that has its path in $file. */
export const GONE =
  'nodecluster cannot start: $file does not exist. Run nodecluster startup again with the Node to use.';
