/** Lines as a shell reads them: split into words, and read only if they are one plain command. */

const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs;
/** In double quotes, a shell still replaces variables and commands. */
const IN_DOUBLE_QUOTES = /\\.|(\$\(?|`)|[^]/gs;
/** What a shell does something with, outside of quotes. */
const SYNTAX = /`|\$(\(|\{[^}]*\}|\w*)|['"\\]|(?<!\S)[#~]|&&|\|\||[;|&<>(){}*?[\n]/;

/**
 * @param {string} line that a package manager gives to a shell
 * @returns {{words: string[], env: Record<string, string>} | {fault: string}} fault: why it is not one, as the
 *   end of a sentence that begins with "it"
 */
export function readPlainCommand(line) {
  const fault = syntaxFault(line.trim());
  if (fault !== null) return { fault };
  const quoted = line.match(WORD) ?? [];
  const first = quoted.findIndex((word) => !ASSIGNMENT.test(word));
  if (first === -1) return { fault: 'runs nothing' };
  const words = quoted.map(unquote);
  const variables = words.slice(0, first).map((word) => {
    const end = word.indexOf('=');
    return [word.slice(0, end), word.slice(end + 1)];
  });
  return { words: words.slice(first), env: Object.fromEntries(variables) };
}

/** @param {string} line @returns {string | null} that only a shell understands it; null: it is plain */
function syntaxFault(line) {
  const bare = line.replace(QUOTED, (quoted) =>
    quoted.startsWith('"')
      ? quoted.replace(IN_DOUBLE_QUOTES, (all, kept) => kept ?? blank(all))
      : blank(quoted),
  );
  const at = bare.search(SYNTAX);
  return at === -1 ? null : `needs a shell (\`${SYNTAX.exec(line.slice(at))?.[0].trim()}\`)`;
}

/** @param {string} text @returns {string} as long, and nothing to a shell */
function blank(text) {
  return 'x'.repeat(text.length);
}

const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PIECE = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/**
 * Splits as a shell does: spaces, quotes and backslashes, but no variables.
 * @param {string} line
 * @returns {string[]|null} null if a quote is not closed
 */
export function splitWords(line) {
  if (line.replace(WORD, '').trim() !== '') return null;
  return (line.match(WORD) ?? []).map(unquote);
}

/** @param {string} word */
function unquote(word) {
  return word.replace(PIECE, (_, escaped, double, single) => {
    if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
    return escaped ?? single;
  });
}
