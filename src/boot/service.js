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
 * @typedef {object} Installation
 * @property {{path: string, text: string, mode: number}[]} files
 * @property {string[][]} activate commands that start it now and at boot; a daemon that runs hands over to it
 * @property {string[][]} deactivate before the files are removed; the apps keep running
 * @property {string[][]} forget after that
 * @property {SocketUnit | null} socketUnit may have been installed too
 * @property {string} status the command that shows how it is
 * @property {string} log the command or file that shows why it failed
 *
 * @typedef {object} SocketUnit
 * @property {string} path
 * @property {string[][]} activate before the service
 * @property {string[]} open fails if, for example, apps that run have the ports
 * @property {string[]} giveUp after such a failure
 * @property {string[][]} deactivate
 */

/** EX_CONFIG of sysexits.h: only a person can repair it. */
const EXIT_GONE = 78;

/** Two homes have two names. @param {Pick<Service, 'scope' | 'user' | 'home'> & {userHome: string}} owner */
export function serviceName({ scope, user, userHome, home }) {
  const base = scope === 'user' ? 'nodecluster' : `nodecluster-${plain(user)}`;
  if (home === path.join(userHome, '.nodecluster')) return base;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 6);
  const label = plain(path.basename(home));
  return [base, ...(label ? [label] : []), hash].join('-');
}

/** @param {Service} service */
export const daemonCommand = ({ node, cli }) => [node, cli, 'daemon'];

/** @param {Service} service @returns {Record<string, string>} */
export function daemonEnvironment({ env, home, name }) {
  return { NODECLUSTER_HOME: home, NODECLUSTER_SERVICE: name, ...env };
}

/** Only failed starts write to it: the daemon has daemon.log. @param {Service} service @param {string} initSystem */
export function errorLog({ home }, initSystem) {
  return path.join(home, `${initSystem}.log`);
}

/** For /bin/sh: says that Node or nodecluster is gone, or becomes the command. @param {string} prefix of the message */
export function checkedStart(prefix) {
  return (
    'for file in "$0" "$1"; do [ -e "$file" ] || ' +
    `{ echo "${prefix}${goneMessage('$file')}" >&2; exit ${EXIT_GONE}; }; ` +
    'done; exec "$0" "$@"'
  );
}

/** @param {string} file */
export function goneMessage(file) {
  return `nodecluster cannot start: ${file} does not exist. Run nodecluster startup again with the Node to use.`;
}

/** @param {string} text @returns {string} with characters that every init system takes in a name */
function plain(text) {
  return text.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-+|-+$/g, '');
}
