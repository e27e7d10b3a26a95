/** A line that a package manager gives to a shell, read only if it is one plain command. */

/**
 * @typedef {{words: string[], env: Record<string, string>}} PlainCommand
 * @typedef {{fault: string, last: string | null}} NotPlain `fault`: why, as the end of a sentence
 *   that begins with "it"; `last`: the last command of a chain
 */

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
const CHAIN = /^(&&|;|\n)/;
/** What a shell does with characters outside of quotes. @type {[RegExp, string][]} */
const SYNTAX = [
  [/^(&&|\|\||;|\n)/, 'runs several commands'],
  [/^\|/, 'pipes its output to another command'],
  [/^&/, 'starts a command in the background'],
  [/^[<>]/, 'redirects its input or output'],
  [/^[(){}]/, 'has brackets for a shell'],
  [/^[*?[]/, 'has a pattern of file names'],
];
const BLANK = /^[ \t]+/;
const PLAIN = /^[^\s'"\\$`&|;<>(){}*?[\]]+|^\]/;
const SINGLE = /^'([^']*)'/;

/** @param {string} line @returns {PlainCommand | NotPlain} */
export function readPlainCommand(line) {
  const read = readWords(line.trim());
  if ('fault' in read) return read;
  const words = [...read.words];
  /** @type {Record<string, string>} */
  const env = {};
  while (words.length > 0) {
    const [, name, value] = ASSIGNMENT.exec(words[0].text) ?? [];
    if (name === undefined || words[0].isQuotedAtStart) break;
    env[name] = value;
    words.shift();
  }
  if (words.length === 0) return { fault: 'runs nothing', last: null };
  return { words: words.map(({ text }) => text), env };
}

/** @typedef {{text: string, isQuotedAtStart: boolean}} Word */

/** @param {string} line @returns {{words: Word[]} | NotPlain} */
function readWords(line) {
  /** @type {Word[]} */
  const words = [];
  /** @type {Word | null} */
  let word = null;
  for (let at = 0; at < line.length;) {
    const rest = line.slice(at);
    const blank = BLANK.exec(rest)?.[0];
    if (blank) {
      word = null;
      at += blank.length;
      continue;
    }
    const piece = readPiece(rest, word === null);
    if ('fault' in piece) return { fault: piece.fault, last: lastOfChain(rest) };
    if (word === null) words.push((word = { text: '', isQuotedAtStart: piece.isQuoted }));
    word.text += piece.text;
    at += piece.length;
  }
  return { words };
}

/**
 * @param {string} rest
 * @param {boolean} isFirst of its word
 * @returns {{text: string, length: number, isQuoted: boolean} | {fault: string}}
 */
function readPiece(rest, isFirst) {
  const fault = syntaxFault(rest, isFirst);
  if (fault !== null) return { fault };
  if (rest[0] === '"') return readDoubleQuoted(rest);
  if (rest[0] === '\\') return { text: rest[1] ?? '', length: 2, isQuoted: true };
  const [single, text] = SINGLE.exec(rest) ?? [];
  if (single !== undefined) return { text, length: single.length, isQuoted: true };
  if (rest[0] === "'") return { fault: 'has a quote that is not closed' };
  const plain = PLAIN.exec(rest)?.[0] ?? rest[0];
  return { text: plain, length: plain.length, isQuoted: false };
}

/** @param {string} rest @param {boolean} isFirst */
function syntaxFault(rest, isFirst) {
  if (isFirst && rest[0] === '#') return 'has a comment';
  if (isFirst && rest[0] === '~') return 'names a home directory (~)';
  if (rest[0] === '$' || rest[0] === '`') return substitutionFault(rest);
  const syntax = SYNTAX.find(([pattern]) => pattern.test(rest));
  return syntax ? `${syntax[1]} (\`${syntax[0].exec(rest)?.[0].trim()}\`)` : null;
}

/** @param {string} rest @returns {{text: string, length: number, isQuoted: true} | {fault: string}} */
function readDoubleQuoted(rest) {
  let text = '';
  for (let at = 1; at < rest.length; at += 1) {
    if (rest[at] === '"') return { text, length: at + 1, isQuoted: true };
    if (rest[at] === '$' || rest[at] === '`') return { fault: substitutionFault(rest.slice(at)) };
    const escaped = rest[at] === '\\' ? /^["\\$`]/.exec(rest.slice(at + 1)) : null;
    if (escaped) at += 1;
    text += rest[at];
  }
  return { fault: 'has a quote that is not closed' };
}

/** @param {string} rest */
function substitutionFault(rest) {
  if (/^(`|\$\()/.test(rest)) return 'contains the output of another command';
  return `contains the shell variable ${/^\$(\{[^}]*\}|\w*)/.exec(rest)?.[0]}`;
}

/** @param {string} rest from the first character that was not plain */
function lastOfChain(rest) {
  if (!CHAIN.test(rest)) return null;
  const last =
    rest
      .split(/&&|;|\n/)
      .at(-1)
      ?.trim() ?? '';
  return last !== '' && !('fault' in readPlainCommand(last)) ? last : null;
}

const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PIECE = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/**
 * Splits as a shell does: spaces, quotes and backslashes, but no variables.
 * @param {string} line
 * @returns {string[]|null} null if a quote is not closed
 */
export function splitWords(line) {
  const words = line.match(WORD) ?? [];
  if (line.replace(WORD, '').trim() !== '') return null;
  return words.map((word) =>
    word.replace(PIECE, (_, escaped, double, single) => {
      if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
      return escaped ?? single;
    }),
  );
}
