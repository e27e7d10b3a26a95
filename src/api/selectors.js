import { resolve } from 'node:path';

/** @import { DaemonClient } from '../protocol/methods.js' */

/**
 * The path of a script means the apps that run it. A name wins over a path.
 * @param {{cwd: string}} place where the words were typed
 * @param {DaemonClient} client
 * @param {string[]} words
 * @returns {Promise<string[]>} selectors that the daemon understands
 */
export async function selectorsFor({ cwd }, client, words) {
  if (!words.some(looksLikePath)) return words;
  const { apps } = await client.request('list', {});
  const names = new Set(apps.flatMap(({ name, namespace }) => [name, namespace]));
  return words.flatMap((word) => {
    if (names.has(word) || !looksLikePath(word)) return [word];
    const path = resolve(cwd, word);
    const running = apps.filter(({ script }) => script === path).map(({ name }) => name);
    return running.length > 0 ? running : [word];
  });
}

/** @param {string} word not a regular expression: `/^api/i` */
function looksLikePath(word) {
  return /[./]/.test(word) && !/^\/.+\/i?$/.test(word);
}
