/**
 * Hides secrets in text of any kind, such as logs and command lines: what looks like one, and what the settings of apps
 * have as one. It rather hides too much, since such text leaves the machine.
 */
import { shellLine } from './quoting.js';
import { MASK, isSecret, maskSecrets } from './secrets.js';

/** A quote, also within JSON within JSON. */
const QUOTE = String.raw`(?:\\*["'\x60])?`;
/** Also a quote within the quotes of a shell. */
const QUOTED = String.raw`'\\''[^'\n]*(?:'\\'')?|"(?:[^"\\]|\\.)*"?|'[^'\n]*'?|\\+"[^"]*"?|\[[^\]]*\]?`;
const NAME = String.raw`(?<![\w.-])([\w.-]{1,100})`;

/** In a command, also as a list of JSON, and in a sentence. */
const BEFORE_WORD = String.raw`(?:\\*["'],?\s+|\\*["'],|\s+|=)\\*["']?`;
const WORD = String.raw`[^\s"',\\]+`;
const SECRET_NOUN = '(?:password|passphrase|secret|token)';

/** What is a secret by its form, and what is put in its place. @type {[what: RegExp, by: string][]} */
const FORMS = [
  // One that is cut off hides as much as a key is long.
  [/-----BEGIN [A-Z ]*PRIVATE KEY(?:[^]{0,8000}?-----END [A-Z ]*KEY-----|[^]{0,8000})/g, MASK],
  [/(?<![\w+/=])[\w+/=]+(?:[\s|",]|\\+[n"])+-----END [A-Z ]*KEY-----/g, MASK],
  // A line of one, whose first and last lines may be missing.
  [
    /(?<![\w+/=.-])(?!\/)(?=\S{0,70}[A-Z])(?=\S{0,70}\d)[A-Za-z0-9+/]{60,77}={0,2}(?![\w+/=])/g,
    MASK,
  ],
  [/(:\/\/)[^\s"'<>/:@]{0,300}:[^\s"'<>]{1,500}@/g, `$1${MASK}@`],
  [/(:\/\/)[^\s"'<>/:@]{1,500}@/g, `$1${MASK}@`],
  [/(https?:\/\/[^\s"'<>]{0,300}hook[^\s"'<>/]*\/)[^\s"'<>\\]+/gi, `$1${MASK}`],
  [new RegExp(`(?<![\\w-])((?:-u|--user)${BEFORE_WORD}[^\\s"'\\\\:]+:)${WORD}`, 'g'), `$1${MASK}`],
  // Not a port, a path, or another flag that begins with p.
  [
    new RegExp(`(?<![\\w-])(-p(?:${BEFORE_WORD}(?![./-])|(?=\\w*\\d)))(?!\\d+\\b)${WORD}`, 'g'),
    `$1${MASK}`,
  ],
  [
    new RegExp(
      `\\b((?:(?:with|using) ${SECRET_NOUN}|${SECRET_NOUN}(?= \\S*\\d)) \\\\*["']?)${WORD}`,
      'gi',
    ),
    `$1${MASK}`,
  ],
  [/\b(bearer|basic) +[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, MASK],
  [
    /\b(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-|[rs]k_\w{4}_|sk-|npm_|AIza|whsec_)[\w-]{10,}/g,
    MASK,
  ],
];
/**
 * What is a secret by the name before it: `--token x`, `"--token", "x"`; `TOKEN=x`; `"token": "x"`, `Cookie: a=b; c=d`.
 * The value apart, since it may contain names too.
 * @type {[name: RegExp, value: RegExp][]}
 */
const NAMED = [
  [
    new RegExp(`(?<![\\w-])(--?[\\w-]{1,100})(?:${QUOTE},\\s*|${QUOTE}\\s+)(?!-)`, 'g'),
    new RegExp(`${QUOTED}|[^\\s"',]+`, 'y'),
  ],
  [new RegExp(`${NAME}${QUOTE}\\s*=\\s*`, 'g'), new RegExp(`${QUOTED}|[^\\s"',;&\\\\{}]+`, 'y')],
  [
    new RegExp(`${NAME}${QUOTE} *: *(?!null|true|false)`, 'g'),
    new RegExp(`${QUOTED}|[^\\s"'{[\\\\,][^\\n"{}]*`, 'y'),
  ],
];

/** @param {string} text @param {readonly string[]} [known] secrets, wherever they stand @returns {string} */
export function maskText(text, known = []) {
  const without = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  const formed = FORMS.reduce((rest, [what, by]) => rest.replace(what, by), without);
  return NAMED.reduce((rest, [name, value]) => maskAfter(rest, name, value), formed);
}

/** @param {readonly string[]} words @returns {string} a line for a shell */
export function maskCommand(words) {
  // Word by word: the quotes of a shell end within one that contains quotes.
  return maskText(shellLine(maskSecrets(words).map((word) => maskText(word))));
}

/** @param {string} text @param {RegExp} named @param {RegExp} value */
function maskAfter(text, named, value) {
  let masked = '';
  let done = 0;
  for (const { 0: head, 1: name, index } of text.matchAll(named)) {
    if (index < done || !isSecret(name)) continue;
    value.lastIndex = index + head.length;
    const [found] = value.exec(text) ?? [''];
    if (found === '') continue;
    const [quote] = /^\\*["']?/.exec(found) ?? [''];
    masked += `${text.slice(done, index)}${head}${quote}${MASK}${quote}`;
    done = index + head.length + found.length;
  }
  return masked + text.slice(done);
}

/** Characters; a shorter one would hide too many others. */
const MIN_LENGTH = 6;
/** They name variables, and their values are masked already. */
const WITHOUT_SECRETS = ['given', 'changes'];

/**
 * @param {unknown} value settings of apps
 * @param {string} [name] of the member that has this value
 * @param {boolean} [isPrivate] a URL in it is a secret, since whoever has it may send there
 * @returns {string[]} the secrets in it, as they may stand in text
 */
export function secretsIn(value, name = '', isPrivate = false) {
  if (typeof value === 'string') return secretOf(value, name, isPrivate);
  if (typeof value !== 'object' || value === null) return [];
  // The argument before may name the next.
  if (Array.isArray(value)) {
    return value.flatMap((each, index) =>
      secretsIn(
        each,
        String(value[index - 1] ?? '').startsWith('-') ? value[index - 1] : name,
        isPrivate,
      ),
    );
  }
  const entries = Object.entries(value).filter(([key]) => !WITHOUT_SECRETS.includes(key));
  return entries.flatMap(([key, each]) => {
    if (isPrivate && key === 'headers') return Object.values(each).flatMap(asInText);
    return secretsIn(each, key, isPrivate || key === 'on');
  });
}

/** @param {string} text @param {string} name @param {boolean} isPrivate */
function secretOf(text, name, isPrivate) {
  const [, path] = (isPrivate && /^https?:\/\/[^/]+\/(.+)$/.exec(text)) || [];
  const secret = path ?? hiddenPart(text, maskSecrets([name, text], name)[1]);
  return asInText(secret);
}

/** @param {unknown} secret @returns {string[]} it as text and as JSON */
function asInText(secret) {
  if (typeof secret !== 'string' || secret.length < MIN_LENGTH) return [];
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
}

/** @param {string} text @param {string} masked @returns {string} what the mask hides */
function hiddenPart(text, masked) {
  if (text === masked) return '';
  const [before, ...rest] = masked.split(MASK);
  const after = rest.at(-1) ?? '';
  return text.slice(before.length, text.length - after.length);
}
