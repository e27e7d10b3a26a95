/** For engines that have a file for each app. */
import { commentedText } from './head.js';

/**
 * @import { ExportedApp } from './app.js'
 * @import { Exported, Order } from './engines.js'
 */

/**
 * @template {{app: ExportedApp}} T
 * @param {string} engine
 * @param {Order} order
 * @param {object} how
 * @param {T[]} how.items one for each app
 * @param {string[]} how.general warnings about all apps, at the head of the first file
 * @param {(item: T) => string} how.fileName
 * @param {(item: T) => string[]} how.warnings
 * @param {(item: T) => string} how.body
 * @returns {Exported}
 */
export function eachApp(engine, { source }, { items, general, fileName, warnings, body }) {
  const exported = items.map((item, index) => {
    const { name } = item.app.spec;
    const all = [
      ...(index === 0 ? general : []).map((text) => ({ app: null, text })),
      ...warnings(item).map((text) => ({ app: name, text })),
    ];
    const text = commentedText(engine, source, all, body(item));
    return { file: { name: fileName(item), text }, warnings: all };
  });
  return {
    files: exported.map(({ file }) => file),
    warnings: exported.flatMap((each) => each.warnings),
  };
}
