/**
 * What an engine is, and what is the same for the texts of all of them: the comment at the head of each, and YAML with
 * comments. Each engine is pure: specs in, text out.
 */
import { Scalar } from 'yaml';
import { printable, yamlDocument, yamlText } from '../../api/write-ecosystem.js';

/**
 * @import { Spec } from '../../config/spec.js'
 *
 * @typedef {object} Order
 * @property {readonly Spec[]} specs
 * @property {Record<string, any>} options of the command, only those that were given
 * @property {Machine} machine this one
 *
 * @typedef {object} Machine
 * @property {string} user who exports
 * @property {string} node absolute path
 * @property {string} cli absolute path of the command
 *
 * @typedef {object} Warning
 * @property {string | null} app null: it is about all of them
 * @property {string} text
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {readonly string[]} options that it understands, by the names that commander gives them
 * @property {(order: Order) => {name: string, body: string, warnings: Warning[]}[]} write files; name: in the directory of
 *   `--dir`; body: without its head; warnings: what it cannot say
 * @property {string} [separator] between several files on stdout
 */

/**
 * @param {Engine} engine
 * @param {Order} order
 * @param {string} source what the heads name: `ecosystem.yml`
 * @returns {{files: {name: string, text: string}[], warnings: Warning[], text: string}} text: of all files, for stdout
 */
export function exported({ name: engine, write, separator = '' }, order, source) {
  const parts = write(order);
  const files = parts.map(({ name, body, warnings }) => {
    const head = [
      `Written by \`nodecluster export ${engine}\` from ${source}.`,
      ...warnings.map((warning) => `Warning: ${warningText(warning)}`),
    ];
    return { name, text: `${head.map((line) => `# ${printable(line)}\n`).join('')}${body}` };
  });
  const warnings = parts.flatMap((part) => part.warnings);
  return { files, warnings, text: files.map(({ text }) => text).join(separator) };
}

/** @param {Warning} warning */
export function warningText({ app, text }) {
  return app === null ? text : `${app}: ${text}`;
}

/** @param {string} app @param {readonly (string | false)[]} rows false: it does not apply @returns {Warning[]} */
export function warningsOf(app, rows) {
  return rows.flatMap((text) => (text === false ? [] : [{ app, text }]));
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
