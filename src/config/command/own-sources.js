/** Reads the program's own files, not those of its packages. */
import { dirname, join } from 'node:path';
import { locateMain, readText } from './locate.js';

/** The main file included. */
const MAX_FILES = 40;
const IMPORT = /(?:\brequire\s*\(\s*|\bfrom\s*|\bimport\s*(?:\(\s*)?)(['"])([^'"\n]+)\1/g;
const COMMENTS = /\/\*[^]*?(?:\*\/|(?![^]))|^[ \t]*\/\/.*$/gm;

/** @typedef {{text: string, imports: string[]}} Source without comments */

/**
 * @param {string} script absolute
 * @returns {Generator<Source, void>} none for a script in node_modules
 */
export function* ownSources(script) {
  const queue = script.includes('/node_modules/') ? [] : [script];
  for (let at = 0; at < queue.length && at < MAX_FILES; at += 1) {
    const text = readText(queue[at]).replace(COMMENTS, '');
    const imports = [...text.matchAll(IMPORT)].map(([, , name]) => name);
    yield { text, imports };
    for (const path of imports.filter((name) => /^\.\.?\//.test(name))) {
      const file = locateMain(join(dirname(queue[at]), path));
      if (file && !queue.includes(file)) queue.push(file);
    }
  }
}
