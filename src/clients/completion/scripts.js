/** The completion scripts for bash (including the old version on macOS), zsh and fish. */

/** @import { CommandOption, CommandRow } from '../../cli/command.js' */

/** @type {Record<string, (commands: CompletedCommand[]) => string>} */
export const scripts = { bash: renderBash, zsh: renderZsh, fish: renderFish };

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

/** @param {CommandRow[]} commands @returns {Promise<CompletedCommand[]>} */
export function completionWords(commands) {
  return Promise.all(
    commands.map(async ({ name, aliases, load }) => {
      const { command } = await load();
      const argument = command.arguments[0]?.name ?? '';
      return {
        names: [name, ...aliases],
        summary: command.summary,
        options: command.options.map(optionOf),
        takesApps: /app|target|selector/.test(argument),
        takesFiles: /target/.test(argument),
        words: name === 'completion' ? Object.keys(scripts) : [],
      };
    }),
  );
}

/** @param {CompletedOption} option @returns {string[]} `-i`, `--instances` */
function flagsOf({ long, short }) {
  return short ? [short, long] : [long];
}

/** @param {CommandOption} option */
function optionOf({ flags, summary, values = [] }) {
  const [, short = null] = /(?:^|\s)(-[A-Za-z])\b/.exec(flags) ?? [];
  const [long] = /--[\w-]+/.exec(flags) ?? [flags];
  return { long, short, takesValue: flags.includes('<'), values, summary };
}

/**
 * Renders a completion script for bash, including the old version on macOS.
 * @param {CompletedCommand[]} commands
 */
function renderBash(commands) {
  const names = commands.flatMap((command) => command.names).join(' ');
  return `# nodecluster completion for bash: eval "$(nodecluster completion bash)"
_nodecluster() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} options='' words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} help --help --version' -- "$current"))
    return
  fi
  case " \${COMP_WORDS[*]:2:COMP_CWORD-2} " in *' -- '*) return ;; esac
  if [ "$current" = '=' ]; then current=''
  elif [ "$previous" = '=' ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  case \${COMP_WORDS[1]} in
${commands.map(bashBranch).join('\n')}
    help) words='${names}' ;;
  esac
  case $current in -*) words="$options --help" ;; esac
  if [ "$words" = apps ]; then words=$(nodecluster completion apps 2>/dev/null); fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _nodecluster nodecluster`;
}

/** @param {CompletedCommand} command */
function bashBranch({ names, options, takesApps, words }) {
  const others = takesApps ? 'apps' : words.join(' ');
  const valued = options.filter((option) => option.takesValue);
  return [
    `    ${names.join(' | ')}) options='${options.flatMap(flagsOf).join(' ')}' words='${others}'`,
    ...(valued.length > 0 ? ['      case $previous in', ...valued.map(value), '      esac'] : []),
    '      ;;',
  ].join('\n');
}

/** For a value without a fixed list, bash completes file names. @param {CompletedOption} option */
function value(option) {
  const { values } = option;
  const offer =
    values.length > 0 ? `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$current")); ` : '';
  return `        ${flagsOf(option).join(' | ')}) ${offer}return ;;`;
}

/** The part that is the same for all commands: it completes the word before the cursor. */
const WORD = `  (( $+takenBy[$words[CURRENT-1]] )) && {
    local -a values=(\${=takenBy[$words[CURRENT-1]]})
    if (( $#values )); then compadd -a values; else _files; fi
    return
  }
  if [[ $words[CURRENT] == -* ]]; then
    options+=('--help:explain the command')
    _describe -o option options
    return
  fi
  [[ $takes == *apps* ]] && choices=(\${(f)"$(nodecluster completion apps 2>/dev/null)"})
  (( $#choices )) && compadd -a choices
  [[ $takes == *files* ]] && _files
  return 0
}
if [[ $funcstack[1] == _nodecluster ]]; then
  _nodecluster "$@"
else
  compdef _nodecluster nodecluster
fi`;

/**
 * Renders a completion script for zsh: for `eval`, or as a file _nodecluster in $fpath.
 * @param {CompletedCommand[]} commands
 */
function renderZsh(commands) {
  return `#compdef nodecluster
# nodecluster completion for zsh: eval "$(nodecluster completion zsh)"
_nodecluster() {
  local -a commands options choices
  local -A takenBy
  local takes=''
  commands=(
${commands.flatMap(({ names, summary }) => names.map((name) => `    ${entry(name, summary)}`)).join('\n')}
    'help:explain a command'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if (( \${words[(i)--]} < CURRENT )); then
    _files
    return
  fi
  case $words[2] in
${commands.map(zshBranch).join('\n')}
    help) _describe command commands; return ;;
  esac
${WORD}`;
}

/** @param {CompletedCommand} command */
function zshBranch({ names, options, takesApps, takesFiles, words }) {
  const entries = options.flatMap((option) =>
    flagsOf(option).map((flag) => entry(flag, option.summary)),
  );
  const valued = options.filter((option) => option.takesValue);
  const values = valued.flatMap((option) =>
    flagsOf(option).map((flag) => `${flag} '${option.values.join(' ')}'`),
  );
  const takes = [...(takesApps ? ['apps'] : []), ...(takesFiles ? ['files'] : [])].join(' ');
  return `    ${names.join('|')})
      takes='${takes}'
      choices=(${words.join(' ')})
      takenBy=(${values.join(' ')})
      options=(${entries.map((each) => `\n        ${each}`).join('')}
      ) ;;`;
}

/** @param {string} word @param {string} summary */
function entry(word, summary) {
  return `'${word.replaceAll(':', '\\:')}:${summary.replaceAll("'", "'\\''")}'`;
}

/**
 * Renders a completion script for fish.
 * @param {CompletedCommand[]} commands
 */
function renderFish(commands) {
  const names = commands.flatMap((command) => command.names).join(' ');
  return [
    '# nodecluster completion for fish: nodecluster completion fish | source',
    'complete -c nodecluster -f',
    ...commands.flatMap(({ names: each, summary }) =>
      each.map((name) => line('__fish_use_subcommand', `-a ${name}`, summary)),
    ),
    line('__fish_use_subcommand', '-a help', 'explain a command'),
    line('__fish_seen_subcommand_from help', `-a '${names}'`),
    ...commands.flatMap(linesOf),
    "complete -c nodecluster -s h -l help -d 'explain the command'",
  ].join('\n');
}

/** @param {CompletedCommand} command */
function linesOf({ names, options, takesApps, takesFiles, words }) {
  const seen = `__fish_seen_subcommand_from ${names.join(' ')}`;
  return [
    ...(takesApps ? [line(seen, "-a '(nodecluster completion apps 2>/dev/null)'")] : []),
    ...(takesFiles ? [line(seen, '-F')] : []),
    ...(words.length > 0 ? [line(seen, `-a '${words.join(' ')}'`)] : []),
    ...options.map(({ long, short, takesValue, values, summary }) =>
      line(
        seen,
        [
          ...(short ? [`-s ${short.slice(1)}`] : []),
          `-l ${long.slice(2)}`,
          ...(takesValue ? [values.length > 0 ? `-x -a '${values.join(' ')}'` : '-r -F'] : []),
        ].join(' '),
        summary,
      ),
    ),
  ];
}

/** @param {string} condition @param {string} what @param {string} [summary] */
function line(condition, what, summary) {
  const described = summary === undefined ? '' : ` -d '${quote(summary)}'`;
  return `complete -c nodecluster -n '${condition}' ${what}${described}`;
}

/** @param {string} text */
function quote(text) {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
