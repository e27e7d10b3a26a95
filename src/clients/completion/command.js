import { homePaths } from '../../shared/home.js';
import { NodeclusterError } from '../../errors/error.js';
import { completionWords, scripts } from './scripts.js';
import { recordedApps } from '../../api/recorded-apps.js';
import { escapeLine } from '../../show/escape.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print a shell script that completes commands, options and app names',
  arguments: [
    {
      name: '<shell>',
      summary: 'bash, zsh or fish; the scripts call `completion apps` for the app names',
    },
  ],
  options: [],
  examples: [
    'eval "$(nodecluster completion bash)"         in ~/.bashrc',
    'eval "$(nodecluster completion zsh)"          in ~/.zshrc, after compinit',
    'nodecluster completion fish | source          in ~/.config/fish/config.fish',
  ],
};

/** @type {Run} */
export async function run({ words: [shell], commands, daemons, print }) {
  if (shell === 'apps') {
    const names = recordedApps(homePaths(daemons.home)).map(({ name }) => name);
    if (names.length > 0) print(names.map(escapeLine).join('\n'));
    return 0;
  }
  if (!Object.hasOwn(scripts, shell)) {
    const detail = `${JSON.stringify(shell)} is not one of ${Object.keys(scripts).join(', ')}`;
    const advice =
      'Put `eval "$(nodecluster completion bash)"` into ~/.bashrc; `nodecluster completion --help` has the lines for zsh and fish.';
    throw new NodeclusterError('E_USAGE', { detail, advice });
  }
  print(scripts[shell](await completionWords(commands)));
  return 0;
}
