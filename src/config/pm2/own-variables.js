/**
 * The variables that a user set for an app. PM2 keeps them in one map with the environment of the shell
 * that started the app: the shell's first, then one of its own (PM2_USAGE), then those of the ecosystem
 * file, then unique_id. A variable that both have keeps the place of the shell's.
 */

/** @import { Pm2Process } from './list.js' */

const FIRST_OF_FILE = 'PM2_USAGE';
const LAST = 'unique_id';
const OF_PM2 = /^(PM2_.*|pm_.*|unique_id|NODE_CHANNEL_.*|NODE_UNIQUE_ID)$/;
/** Belong to a login, a terminal or a tool that started PM2. */
const OF_SESSION =
  /^(_|PATH|PWD|OLDPWD|HOME|USER|LOGNAME|SHELL|SHLVL|TERM|COLORTERM|LANG|LANGUAGE|LS_COLORS|MAIL|HOSTNAME|DISPLAY|EDITOR|VISUAL|PAGER|STY|WINDOWID|INIT_CWD|INVOCATION_ID|JOURNAL_STREAM|MANAGERPID|(LC|LESS|SSH|XDG|DBUS|SUDO|TMUX|VSCODE|GPG|NVM|SYSTEMD|WSL|TERM|npm)_?.*)$/;

/**
 * @param {Pick<Pm2Process, 'name'|'env'|'settings'>} process
 * @param {Record<string, string|undefined>} shellEnv of the shell that imports: what it has with the same value
 *   is there when the app starts
 * @returns {Record<string, string>}
 */
export function ownVariables({ name, env, settings }, shellEnv) {
  const names = Object.keys(env);
  const first = names.indexOf(FIRST_OF_FILE);
  const last = names.indexOf(LAST);
  const isOfFile = (/** @type {number} */ at) =>
    first !== -1 && at > first && (last === -1 || at < last);
  const isOfPm2 = (/** @type {string} */ each) =>
    // PM2 adds the configuration of a module, under the name of every app.
    each === name || OF_PM2.test(each) || each === settings.instance_var;
  const own = names.filter((each, at) => {
    if (isOfPm2(each) || env[each] === null || env[each] === undefined) return false;
    return isOfFile(at) || (!OF_SESSION.test(each) && asText(env[each]) !== shellEnv[each]);
  });
  return Object.fromEntries(own.map((each) => [each, asText(env[each])]));
}

/** @param {unknown} value */
function asText(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
