/** The variables of an app: those that may be seen, and those that are named only. */
import { isSecret } from '../../config/secrets.js';

/** @import { Spec } from '../../config/spec.js' */

/**
 * @typedef {object} Environment
 * @property {{name: string, value: string}[]} plain in the order of the file
 * @property {string[]} secrets names
 */

/** The machine or the container itself. */
const LOCAL = /(?:^|[/@=,\s])(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)(?=$|[:/,\s])/i;

/**
 * Without the variables of the shell: only what the file says.
 * @param {Spec} spec
 * @returns {Environment}
 */
export function environmentOf({ env }) {
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  const isHidden = (/** @type {{name: string, value: string}} */ each) =>
    isSecret(each.name, each.value);
  return {
    plain: variables.filter((each) => !isHidden(each)),
    secrets: variables.filter(isHidden).map(({ name }) => name),
  };
}

/**
 * @param {Environment} environment
 * @returns {string[]} names of variables that point to something on the same machine
 */
export function localVariables({ plain }) {
  return plain.filter(({ value }) => LOCAL.test(value)).map(({ name }) => name);
}
