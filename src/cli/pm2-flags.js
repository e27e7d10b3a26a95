/** Flags of PM2's commands that no option here stands for: what a command line with them means. */
import { pm2Names } from '../config/options/pm2-names.js';
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { Pm2Name } from '../config/options/option.js'
 *
 * @typedef {Pm2Name & {flags: string}} Pm2Flag
 */

/** Flags that PM2 accepts before the command. */
const BEFORE_COMMAND = '-h --help -s --silent -m --mini-list --color --no-color --json'.split(' ');

/** Flags before the command move behind it; `init` has one template. @param {readonly string[]} args */
export function commandFirst(args) {
  const at = args.findIndex((arg) => !BEFORE_COMMAND.includes(arg));
  if (at === -1) return [...args];
  const [command, ...rest] = args.slice(at);
  const isTemplate = ['init', 'ecosystem'].includes(command) && rest[0] === 'simple';
  return [command, ...args.slice(0, at), ...(isTemplate ? rest.slice(1) : rest)];
}

/** @param {string} command @returns {Pm2Flag[]} */
export function pm2FlagsOf(command) {
  return pm2Names.flatMap(({ flags, on = [command], ...name }) =>
    flags !== undefined && on.includes(command) ? [{ flags, ...name }] : [],
  );
}

/** What the flags of PM2 add to the settings. @param {{flag: Pm2Flag, value: unknown}[]} given @throws {NodeclusterError} E_PM2_ONLY */
export function readPm2Flags(given) {
  const refused = given.find(({ flag }) => flag.advice !== undefined);
  if (refused) {
    const { flags, advice = '' } = refused.flag;
    const sentence = `${advice[0].toUpperCase()}${advice.slice(1)}.`;
    throw new NodeclusterError('E_PM2_ONLY', { word: longFlag(flags), advice: sentence });
  }
  const options = given.flatMap(({ flag, value }) =>
    flag.means === undefined ? [] : [[flag.means, flag.value ?? value]],
  );
  return {
    words: given.flatMap(({ flag }) => flag.words ?? []),
    options: Object.fromEntries(options),
    notes: given.flatMap(({ flag }) =>
      flag.note === undefined ? [] : [`${longFlag(flag.flags)} has no effect: ${flag.note}.`],
    ),
  };
}

/** @param {string} flags */
function longFlag(flags) {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}
