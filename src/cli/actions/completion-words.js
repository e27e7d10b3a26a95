/** What a shell can complete: every command with its options, and what its arguments are. */
/** @import { CommandOption, Verb } from '../verbs.js' */

export const SHELLS = /** @type {const} */ (['bash', 'zsh', 'fish']);

/**
 * @typedef {object} CompletedOption
 * @property {string} long with its dashes
 * @property {string | null} short with its dash
 * @property {boolean} takesValue
 * @property {readonly string[]} values all that it can be, where they are few
 * @property {string} summary
 *
 * @typedef {object} CompletedCommand
 * @property {string[]} names the first is its own, the others mean the same
 * @property {string} summary
 * @property {CompletedOption[]} options
 * @property {boolean} takesApps its arguments name apps
 * @property {boolean} takesFiles they may be files
 * @property {string[]} words that its argument may be
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

/**
 * @param {CommandOption} option
 * @returns {CompletedOption}
 */
function optionOf({ flags, summary, values = [] }) {
  const [, short = null] = /(?:^|\s)(-[A-Za-z])\b/.exec(flags) ?? [];
  const [long] = /--[\w-]+/.exec(flags) ?? [flags];
  return { long, short, takesValue: flags.includes('<'), values, summary };
}
