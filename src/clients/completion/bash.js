/** Renders a completion script for bash, including the old version on macOS. */
import { flagsOf } from './words.js';

/** @import { CompletedCommand, CompletedOption } from './words.js' */

/**
 * @param {CompletedCommand[]} commands
 * @returns {string}
 */
export function renderBash(commands) {
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
${commands.map(branch).join('\n')}
    help) words='${names}' ;;
  esac
  case $current in -*) words="$options --help" ;; esac
  if [ "$words" = apps ]; then words=$(nodecluster completion apps 2>/dev/null); fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _nodecluster nodecluster`;
}

/** @param {CompletedCommand} command */
function branch({ names, options, takesApps, words }) {
  const others = takesApps ? 'apps' : words.join(' ');
  const valued = options.filter((option) => option.takesValue);
  return [
    `    ${names.join(' | ')}) options='${options.flatMap(flagsOf).join(' ')}' words='${others}'`,
    ...(valued.length > 0 ? ['      case $previous in', ...valued.map(value), '      esac'] : []),
    '      ;;',
  ].join('\n');
}

/**
 * For a value without a fixed list, bash completes file names.
 * @param {CompletedOption} option
 */
function value(option) {
  const { values } = option;
  const offer =
    values.length > 0 ? `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$current")); ` : '';
  return `        ${flagsOf(option).join(' | ')}) ${offer}return ;;`;
}
