/** @import { Handler } from '../control/methods.js' */

/**
 * Every change was saved when its command ended; this one fails if the disk does not take another.
 * @type {Handler<'save'>}
 */
export async function saveAll({ table }) {
  await table.save();
  return { apps: table.all().map(({ name }) => name) };
}
