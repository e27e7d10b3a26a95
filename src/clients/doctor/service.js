/** Files that a service of this machine starts, and that do not exist. */
import { statSync } from 'node:fs';
import { attempt } from '../../errors/error.js';
import { readText } from '../../shared/files/inspect-path.js';

/**
 * @import { Context } from '../../cli/context.js'
 *
 * @typedef {object} MissingFile
 * @property {string} file
 * @property {string} by the file of the service
 * @property {boolean} isOfUser whether it is a service of the user's own manager
 */

/**
 * The paths of Node and of the command, in quotes or not, as each init system writes them. One with a character that may
 * have been escaped is left out.
 */
const PROGRAMS =
  /(?<=["'>])\/[^"'<>\\%$&\n]*\/(?:node|nodecluster\.js)(?=["'<])|(?<=[\s="'])\/[^\s"'<>\\%$&:]*\/(?:node|nodecluster\.js)(?=[\s"';])/g;

/** @param {Context} context @returns {Promise<MissingFile[]>} */
export async function missingFiles(context) {
  const scopes = await Promise.all([false, true].map((isOfUser) => started(context, isOfUser)));
  return scopes.flat().filter(({ file }) => isMissing(file));
}

/** What a service file starts that `startup` has written. @param {string} text of it @returns {string[]} */
export function programsIn(text) {
  return [...new Set(text.match(PROGRAMS))];
}

/** @param {Context} context @param {boolean} isOfUser @returns {Promise<MissingFile[]>} by what is installed where `startup` would install it */
async function started(context, isOfUser) {
  let text = '{"files":[]}';
  const print = (/** @type {string} */ line) => void (text = line);
  const options = { print: true, json: true, ...(isOfUser ? { user: true } : {}) };
  // It throws where the user has no name, or the init system no services of users.
  await context.runCommand('startup', { options }, { print, note() {} }).catch(() => {});
  /** @type {{files: {path: string}[]}} */
  const { files } = JSON.parse(text);
  return files.flatMap(({ path: by }) =>
    programsIn(readText(by)).map((file) => ({ file, by, isOfUser })),
  );
}

/** @param {string} file @returns {boolean} false also if it cannot be seen */
function isMissing(file) {
  return attempt(() => statSync(file, { throwIfNoEntry: false }) === undefined, false);
}
