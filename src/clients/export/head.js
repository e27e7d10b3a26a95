/** What is the same for the texts of all engines: the comment at the head of each. */
/** @import { Engine, ExportedFile, Order, Warning } from './engines.js' */

/**
 * @param {Engine} engine
 * @param {Order} order
 * @param {string} source what the heads name: `ecosystem.yml`
 * @returns {{files: ExportedFile[], warnings: Warning[], text: string}} text: of all files, for stdout
 */
export function exported({ name: engine, write, separator }, order, source) {
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
 * @param {string} text that may contain anything
 * @returns {string} on one line
 */
export function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}
