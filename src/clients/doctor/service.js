/** Files that a service of this machine starts, and that do not exist. */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { attempt } from '../../errors/error.js';
import { readText } from '../../shared/files/inspect-path.js';
import { readSmallFile } from '../../shared/files/small-file.js';
import { homePaths } from '../../shared/home.js';

/**
 * @import { Context } from '../../cli/context.js'
 *
 * @typedef {object} MissingFile
 * @property {string} file the same as `by`: that is empty, or a broken link
 * @property {string} by the file of the service, or the record of its daemon
 * @property {boolean} isOfUser whether it is a service of the user's own manager
 */

const MAX_RECORD = 16 * 1024;

/**
 * The paths of Node and of the command, in quotes or not, as each init system writes them. One with a character that may
 * have been escaped is left out.
 */
const PROGRAMS =
  /(?<=["'>])\/[^"'<>\\%$&\n]*\/(?:node|nodecluster\.js)(?=["'<])|(?<=[\s="'])\/[^\s"'<>\\%$&:]*\/(?:node|nodecluster\.js)(?=[\s"';])/g;

/** @param {Context} context @returns {Promise<MissingFile[]>} each once */
export async function missingFiles(context) {
  const scopes = await Promise.all([false, true].map((isOfUser) => installed(context, isOfUser)));
  const all = [...recorded(homePaths(context.daemons.home).service), ...scopes.flat()];
  const missing = all.filter(({ file, by }) => file === by || isMissing(file));
  return [...new Map(missing.map((each) => [each.file, each])).values()];
}

/** What a service file starts that `startup` has written. @param {string} text of it @returns {string[]} */
export function programsIn(text) {
  return [...new Set(text.match(PROGRAMS))];
}

/** @param {Context} context @param {boolean} isOfUser @returns {Promise<MissingFile[]>} of what is installed where `startup` would install it */
async function installed(context, isOfUser) {
  let text = '{"files":[]}';
  const print = (/** @type {string} */ line) => void (text = line);
  const options = { print: true, json: true, ...(isOfUser ? { user: true } : {}) };
  // It throws where the user has no name, or the init system no services of users.
  await context.runCommand('startup', { options }, { print, note() {} }).catch(() => {});
  /** @type {{files: {path: string}[]}} */
  const { files } = JSON.parse(text);
  return files.flatMap(({ path: by }) =>
    (isVoid(by) ? [by] : programsIn(readText(by))).map((file) => ({ file, by, isOfUser })),
  );
}

/** @param {string} record of a daemon that a service has started @returns {MissingFile[]} */
function recorded(record) {
  const { command } = attempt(() => JSON.parse(readSmallFile(record, MAX_RECORD)), {}) ?? {};
  const files = Array.isArray(command) ? command.map(String) : [];
  return files
    .filter((file) => file.startsWith('/'))
    .map((file) => ({ file, by: record, isOfUser: false }));
}

/** One that is masked leads to /dev/null, on purpose. @param {string} file @returns {boolean} */
function isVoid(file) {
  return attempt(() => lstatSync(file).size === 0 || !existsSync(file), false);
}

/** @param {string} file @returns {boolean} false also if it cannot be seen */
function isMissing(file) {
  return attempt(() => statSync(file, { throwIfNoEntry: false }) === undefined, false);
}
