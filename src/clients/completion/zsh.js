/** Renders a completion script for zsh: for `eval`, or as a file _nodecluster in $fpath. */
import { flagsOf } from './words.js';

/** @import { CompletedCommand } from './words.js' */

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
 * @param {CompletedCommand[]} commands
 * @returns {string}
 */
export function renderZsh(commands) {
  return `#compdef nodecluster
# nodecluster completion for zsh: eval "$(nodecluster completion zsh)"
_nodecluster() {
  local -a commands options choices
  local -A takenBy
  local takes=''
  commands=(
${commands.flatMap(descriptions).join('\n')}
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
${commands.map(branch).join('\n')}
    help) _describe command commands; return ;;
  esac
${WORD}`;
}

/** @param {CompletedCommand} command */
function descriptions({ names, summary }) {
  return names.map((name) => `    ${entry(name, summary)}`);
}

/** @param {CompletedCommand} command */
function branch({ names, options, takesApps, takesFiles, words }) {
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
