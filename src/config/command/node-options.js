/** The words after `node`: its own options, and the script. */

/** Options of Node whose value is the next word. */
const TAKES_VALUE =
  /^(-r|-C|--(require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists))$/;
/** Options with which Node runs no script, or something else around it. */
const RUNS_NO_SCRIPT = /^(-e|-p|-i|-c|-|--(eval|print|interactive|check|test|run|watch))(=|$)/;

/**
 * @param {string[]} words after `node`
 * @returns {{nodeArgs: string[], script: string, args: string[]} | null} null: no script follows, or
 *   Node does something else with it
 */
export function splitNodeOptions(words) {
  let at = 0;
  while (words[at]?.startsWith('-')) {
    if (RUNS_NO_SCRIPT.test(words[at])) return null;
    at += TAKES_VALUE.test(words[at]) ? 2 : 1;
  }
  if (at >= words.length) return null;
  return { nodeArgs: words.slice(0, at), script: words[at], args: words.slice(at + 1) };
}
