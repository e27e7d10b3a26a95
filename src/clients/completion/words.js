/** Lists what a shell can complete: commands, their options and the kinds of their arguments. */
/** @import { CommandOption, Verb } from '../../cli/verbs.js' */

export const SHELLS = /** @type {const} */ (['bash', 'zsh', 'fish']);

/**
 * @typedef {object} CompletedOption
 * @property {string} long with its dashes
 * @property {string | null} short with its dash
 * @property {boolean} takesValue
 * @property {readonly string[]} values all possible values, if there are few
 * @property {string} summary
 *
 * @typedef {object} CompletedCommand
 * @property {string[]} names the name, then its aliases
 * @property {string} summary
 * @property {CompletedOption[]} options
 * @property {boolean} takesApps as arguments
 * @property {boolean} takesFiles as arguments
 * @property {string[]} words all possible values of its argument, if there are few
 */

/**
 * @param {Verb[]} verbs
 * @returns {Promise<CompletedCommand[]>}
 */
export function completionWords(verbs) {
  return Promise.all(
    verbs.map(async ({ name, aliases, load }) => {
      const { command } = await load();
      const argument = command.arguments[0]?.name ?? '';
      return {
        names: [name, ...aliases],
        summary: command.summary,
        options: command.options.map(optionOf),
        takesApps: /app|target|selector/.test(argument),
        takesFiles: /target/.test(argument),
        words: name === 'completion' ? [...SHELLS] : [],
      };
    }),
  );
}

/** @param {CompletedOption} option @returns {string[]} `-i`, `--instances` */
export function flagsOf({ long, short }) {
  return short ? [short, long] : [long];
}

/** @param {CommandOption} option */
function optionOf({ flags, summary, values = [] }) {
  const [, short = null] = /(?:^|\s)(-[A-Za-z])\b/.exec(flags) ?? [];
  const [long] = /--[\w-]+/.exec(flags) ?? [flags];
  return { long, short, takesValue: flags.includes('<'), values, summary };
}
