/** Renders a completion script for fish. */
/** @import { CompletedCommand } from './words.js' */

/**
 * @param {CompletedCommand[]} commands
 * @returns {string}
 */
export function renderFish(commands) {
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
