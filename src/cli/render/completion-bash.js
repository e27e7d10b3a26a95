/** A completion script for bash, of macOS' old one too. */

/**
 * @param {import('../completion-words.js').CompletedCommand[]} commands
 * @returns {string}
 */
export function renderBash(commands) {
  const names = commands.flatMap((command) => command.names).join(' ');
  return `# nodecluster completion for bash: eval "$(nodecluster completion bash)"
_nodecluster() {
  local current=\${COMP_WORDS[COMP_CWORD]} options='' words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} help --help --version' -- "$current"))
    return
  fi
  case " \${COMP_WORDS[*]:2:COMP_CWORD-2} " in *' -- '*) return ;; esac
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

/** @param {import('../completion-words.js').CompletedCommand} command */
function branch({ names, options, takesApps, words }) {
  const flags = options.flatMap(({ long, short }) => (short ? [short, long] : [long]));
  const others = takesApps ? 'apps' : words.join(' ');
  return `    ${names.join(' | ')}) options='${flags.join(' ')}' words='${others}' ;;`;
}
