/** YAML with comments, and the words of warnings. */
import { Scalar } from 'yaml';
import { printable, yamlDocument, yamlText } from '../../api/write-ecosystem.js';

/**
 * @import { Spec } from '../../config/spec.js'
 *
 * @typedef {object} Order
 * @property {readonly Spec[]} specs
 * @property {Record<string, any>} options of the command, only those that were given
 *
 * @typedef {object} Warning
 * @property {string | null} app null: it is about all of them
 * @property {string} text
 *
 * @typedef {object} Exported
 * @property {{name: string, text: string}[]} files
 * @property {Warning[]} warnings what the engine cannot do
 * @property {string} text of all files, for stdout
 */

/** @param {Warning} warning */
export function warningText({ app, text }) {
  return app === null ? text : `${app}: ${text}`;
}

/**
 * @param {string | number | boolean | undefined} value
 * @param {string | null} comment what its line says about it; null: the value says it all
 * @returns {unknown} for toYaml
 */
export function noted(value, comment) {
  if (comment === null) return value;
  const node = new Scalar(value);
  node.comment = ` ${printable(comment)}`;
  return node;
}

/** @param {Record<string, unknown>} data keys whose value is undefined are left out @returns {string} without a head */
export function toYaml(data) {
  return yamlText(yamlDocument(data));
}
