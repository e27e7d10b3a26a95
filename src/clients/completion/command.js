/** `completion`: scripts for shells, which ask this command what the word that is being typed can become. */
import { homePaths } from '../../shared/home.js';
import { NodeclusterError } from '../../errors/error.js';
import { recordedApps } from '../../api/recorded-apps.js';
import { escapeLine } from '../../show/escape.js';

/** @import { CommandData, CommandRow, Run } from '../../cli/command.js' */

/** Without a candidate, each completes the names of files. */
const SCRIPTS = {
  // Also for the old version on macOS.
  bash: `# nodecluster completion for bash: eval "$(nodecluster completion bash)"
_nodecluster() {
  COMPREPLY=($(nodecluster completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | awk '{print $1}'))
}
complete -o bashdefault -o default -F _nodecluster nodecluster`,
  zsh: `#compdef nodecluster
# nodecluster completion for zsh: eval "$(nodecluster completion zsh)"
_nodecluster() {
  local -a found
  found=("\${(@f)$(nodecluster completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z $found ]]; then
    _files
    return
  fi
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe nodecluster found
}
if [[ $funcstack[1] == _nodecluster ]]; then
  _nodecluster "$@"
else
  compdef _nodecluster nodecluster
fi`,
};
const SHELLS = /** @type {(keyof typeof SCRIPTS)[]} */ (Object.keys(SCRIPTS));

/** @type {CommandData} */
export const command = {
  summary: 'print a shell script that completes commands, options and app names',
  arguments: [
    { name: '<shell>', summary: 'bash or zsh' },
    { name: '[words...]', summary: 'the scripts call `completion words -- <what is typed>`' },
  ],
  options: [],
  examples: [
    'eval "$(nodecluster completion bash)"         in ~/.bashrc',
    'eval "$(nodecluster completion zsh)"          in ~/.zshrc, after compinit',
  ],
};

/** @type {Run} */
export async function run({ words: [word, ...typed], commands, daemons, print }) {
  if (word === 'words') {
    const appNames = () => recordedApps(homePaths(daemons.home)).map(({ name }) => name);
    // bash makes a word of the sign in --flag=value.
    const words = typed.filter((each) => each !== '=');
    const current = typed.at(-1) === '=' ? '' : (words.pop() ?? '');
    const candidates = await candidatesAfter(words, current, commands, appNames);
    const found = candidates.filter(([candidate]) => candidate.startsWith(current));
    if (found.length > 0) print(found.map((each) => each.map(escapeLine).join('\t')).join('\n'));
    return 0;
  }
  const shell = SHELLS.find((each) => each === word);
  if (shell === undefined) {
    const detail = `${JSON.stringify(word)} is not one of ${SHELLS.join(', ')}`;
    const advice =
      'Put `eval "$(nodecluster completion bash)"` into ~/.bashrc, or the same with zsh into ~/.zshrc.';
    throw new NodeclusterError('E_USAGE', { detail, advice });
  }
  print(SCRIPTS[shell]);
  return 0;
}

/** @typedef {[word: string, summary?: string]} Candidate */

/**
 * @param {string[]} words after `nodecluster`
 * @param {string} current the word that is being typed
 * @param {CommandRow[]} commands
 * @param {() => string[]} appNames
 */
async function candidatesAfter([name, ...before], current, commands, appNames) {
  if (name === undefined || name === 'help') return topicsOf(commands);
  const row = commands.find((each) => [each.name, ...each.aliases].includes(name));
  // What follows -- is the program's own.
  if (!row || before.includes('--')) return [];
  const { options, arguments: args } = (await row.load()).command;
  const previous = options.find(({ flags }) => namesIn(flags).includes(String(before.at(-1))));
  if (previous?.flags.includes('<')) return (previous.values ?? []).map((value) => [value]);
  if (current.startsWith('-')) {
    const flags = options.flatMap(({ flags, summary }) =>
      namesIn(flags).map((flag) => /** @type {Candidate} */ ([flag, summary])),
    );
    return [...flags, ['--help', 'explain the command']];
  }
  const takesApps = /app|target/.test(String(args[0]?.name));
  const named = row.name === 'completion' ? SHELLS : takesApps ? appNames() : [];
  return named.map((each) => [each]);
}

/** @param {CommandRow[]} commands @returns {Promise<Candidate[]>} */
async function topicsOf(commands) {
  const rows = await Promise.all(
    commands.map(async ({ name, aliases, load }) => {
      const { summary } = (await load()).command;
      return [name, ...aliases].map((word) => /** @type {Candidate} */ ([word, summary]));
    }),
  );
  return [...rows.flat(), ['help', 'explain a command'], ['--help'], ['--version']];
}

/** @param {string} flags `-i, --instances <n>` */
function namesIn(flags) {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
}
