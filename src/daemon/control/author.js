/** Who gave the command that is being carried out: known in each of its steps, however long they take. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** @import { Author } from '../../protocol/shapes.js' */

/** @type {AsyncLocalStorage<Author>} */
const authors = new AsyncLocalStorage();

/**
 * @template T
 * @param {Author} author
 * @param {() => T} command
 */
export function runAs(author, command) {
  return authors.run(author, command);
}

/** @returns {Author | null} null: nobody, as in a recovery */
export function currentAuthor() {
  return authors.getStore() ?? null;
}
