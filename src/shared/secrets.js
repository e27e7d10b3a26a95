/**
 * What counts as a secret, and how it is hidden in settings, in commands and in any other text, such as logs. It rather
 * hides too much, since what is shown may leave the machine. Every pattern is bounded: strings may be long and hostile.
 */
import { shellLine } from './quoting.js';

export const MASK = '********';

const SECRET_WORD =
  /(?:password|passwd|passphrase|passcode|secret|token|credential|authorization|api_?key|private_?key)(?:s?(?![a-z])|s?_)/i;
const SECRET_ENDING =
  /(?:^|_)(?:keys?|auth|oauth|dsn|salt|pepper|cookie|csrf|bearer|pin|creds?|jwt|otp|hmac|sig|signature)$|^(?:connect_)?sid$|sess(?:ion)?id$|psk$|(?:access|account|auth|encryption|signing|jwt|ssh|deploy|master|stripe)key$|pw$|pwd$|(?<!by|com|sur|tres)pass$/i;
const WORKING_DIRECTORY = /^(?:OLD)?PWD$/;
/** `--show-secrets`, `MAX_TOKENS`: a word before the secret. */
const HARMLESS_BEGINNING =
  /^(?:show|with|no|max|min|use|enable|disable|has|is)_|(?:^|_)(?:public|publishable|primary|foreign|sort|partition|cache)_keys?$/i;
/** `--password-stdin`, `DB_PASSWORD_FILE`, `TOKEN_TTL`, `token.js`: a word after it. */
const HARMLESS_ENDING =
  /_(?:stdin|file|path|dir|directory|ttl|ms|seconds|minutes|hours|days|expires?|count|length|size|limit|rounds|policy|issuer|audience|url|uri|arn|id|name|header|type|algorithm|[cm]?[jt]sx?)$/i;

/** @param {string} name of a variable @param {string} value @returns {string} it, or a mask */
export function maskSecret(name, value) {
  return isSecret(name, value) ? MASK : value;
}

/** @param {string} name of a variable @param {string} value */
export function isSecret(name, value) {
  return maskMember(value, name) !== value;
}

/** @param {string} name also of a flag or a header */
function isSecretName(name) {
  const plain = name.replace(/^-+/, '').replaceAll(/[.-]/g, '_');
  const snake = plain.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  if (WORKING_DIRECTORY.test(plain) || HARMLESS_BEGINNING.test(snake)) return false;
  if (HARMLESS_ENDING.test(snake)) return false;
  return SECRET_WORD.test(snake) || SECRET_ENDING.test(snake);
}

const USER_FLAG = /^(?:-u|--user)$/;
/** A port, a path, another flag, a file. */
const AFTER_P = /^(?:\d+\b|[./-]|[\w-]+\.[a-z]{2,4}$)/;
/** Such as `Bearer ${TOKEN}`. */
const REFERENCE = /^(?:\w{1,20} )?(?:\$\{\w{1,100}\}|\$[A-Z_][A-Z0-9_]{1,100})+$/;
/** Not one that only begins with a slash: base64 may. */
const PATH =
  /^(?:\.{1,2}|~|\/(?:app|data|dev|etc|home|mnt|opt|proc|root|run|srv|tmp|usr|var))\/[\w./@-]+$/;
const SWITCH = /^(?:true|false|yes|no|on|off|none|null)$/i;

/** @param {string} name */
function mayHide(name) {
  return name === '-p' || USER_FLAG.test(name) || isSecretName(name);
}

/** @param {string} name that may hide @param {string} value @returns {string} */
function hideValue(name, value) {
  if (value === '' || [REFERENCE, PATH, SWITCH].some((what) => what.test(value))) return value;
  if (name === '-p') return AFTER_P.test(value) ? value : MASK;
  // Not the numbers of a user and a group.
  if (USER_FLAG.test(name)) return value.replace(/^(?!\d+:\d+$)([^:]+:)[^]+/, `$1${MASK}`);
  return MASK;
}

const FLAG = /^--?[\w-]+$/;
/** Of a shell: a script comes next, which goes on after an assignment. */
const SCRIPT_FLAG = /^-\w*c$/;
const ONE_NAME = /^[\w.-]{1,100}$/;
/** `--set-env=DB_PASSWORD=x` */
const MAX_NAMES = 3;
/** Says where each value came from, under the names of variables. */
const SOURCES = 'given';
/** Lists of settings that differ: in each item, `key` is the name of the values `from` and `to`. */
const DIFFERENCES = ['changes', 'differences'];

/**
 * Hides secrets in what is shown of an app: by the names of members and of arguments, and in the text of all others.
 * @template T
 * @param {T} value anything that JSON can hold
 * @param {string} [name] of the member that has this value
 * @returns {T} the same, with secrets masked
 */
export function maskSecrets(value, name = '') {
  return /** @type {T} */ (mask(value, name));
}

/** @param {readonly string[]} words @returns {string} a line for a shell */
export function maskCommand(words) {
  return shellLine(maskSecrets(words));
}

/** @param {unknown} value @param {string} name @returns {unknown} */
function mask(value, name) {
  if (name === SOURCES || value === null) return value;
  if (typeof value === 'string') return maskMember(value, name);
  if (Array.isArray(value)) {
    return value.map((each, index) =>
      typeof each === 'string'
        ? maskItem(each, String(value[index - 1] ?? ''), name)
        : mask(each, name),
    );
  }
  if (typeof value !== 'object') return value;
  const { key: setting } = /** @type {any} */ (DIFFERENCES.includes(name) ? value : {});
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mask(each, nameOfMember(key, setting))]),
  );
}

/** @param {string} key @param {unknown} setting that differs */
function nameOfMember(key, setting) {
  if (typeof setting !== 'string') return key;
  if (key === 'key') return '';
  return /^(?:from|to)$/.test(key) ? setting : key;
}

/** @param {string} text @param {string} name */
function maskMember(text, name) {
  if (isSecretName(name)) return hideValue(name, text);
  const masked = maskText(text);
  // What follows in the next lines may belong to it.
  return masked !== text && text.includes('\n') ? MASK : masked;
}

/** @param {string} item @param {string} before the argument before, which may name this one @param {string} name of the list */
function maskItem(item, before, name) {
  if (FLAG.test(item)) return maskText(item);
  const hidden = FLAG.test(before) && mayHide(before) ? hideValue(before, item) : item;
  if (hidden !== item) return hidden;
  const parts = SCRIPT_FLAG.test(before) ? [] : item.split('=', MAX_NAMES + 1);
  const named = parts.slice(0, -1).findIndex((part) => ONE_NAME.test(part) && isSecretName(part));
  if (named === -1) return maskMember(item, name);
  const head = `${parts.slice(0, named + 1).join('=')}=`;
  return head + hideValue(parts[named], item.slice(head.length));
}

/** A quote, also within JSON within JSON. */
const QUOTE = String.raw`(?:\\*["'\x60])?`;
/** Also a quote within the quotes of a shell, and one of its strings that contains a quote. */
const QUOTED = String.raw`'\\''[^'\n]*(?:'\\'')?|\$?"(?:[^"\\]|\\.)*"?|\$?'[^'\n]*'?(?:\\+''[^'\n]*'?)*|(?<depth>\\{1,16})"[^\n]{0,4000}?(?<!\\)\k<depth>"|\\+"[^"]*"?|\[(?:[^[\]]|\[[^\]]*\]?)*\]?`;
/** Of JSON. */
const NUMBER = String.raw`(?<="\s{0,9}:\s{0,9})-?\d[\d.eE+-]*(?=\s{0,9}[,}\]])`;
const NAME = String.raw`(?<![\w.-])([\w.-]{1,100})`;
const BARE = String.raw`[^\s"',;&\\{}]`;
const BLANKS = String.raw`[^\S\n]{1,100}`;
const WORD = String.raw`[^\s"',\\]+`;
const SECRET_NOUN = '(?:password|passphrase|secret|token)(?: key)?(?: is)?';
/** `token:0` is a worker of the app token, `scale token +1` a number of them. */
const SLOTS = String.raw`[:+-]\d{1,3}(?![\w.-])`;
const BASE64 = '[A-Za-z0-9+/]';

/** Tokens that can be told without what is around them, and the password right after `-p`. */
const TOKEN = new RegExp(
  [
    String.raw`(?<=(?<![\w-])-p)(?=\w{0,100}\d)(?!\d+\b)${WORD}`,
    String.raw`\beyJ[\w-]{5,2000}\.[\w-]+(?:\.[\w-]*)?`,
    String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{12,}`,
    String.raw`\b(?:gh[a-z]_|github_pat_|gl[pr]a?t-|xox[a-z]-|[rs]k_\w{4}_|sk-|AIza|whsec_|dop_v\d_|hvs\.|SG\.)[\w-]{10,}(?:\.[\w-]+)*`,
    String.raw`\b(?:hf_|shpat_|pypi-|dckr_pat_|lin_api_|ntn_|PMAK-|HRKU-|rubygems_|gsk_|r8_|pplx-|xai-|sbp_|dapi|AGE-SECRET-KEY-|GOCSPX-|ya29\.|sntrys_)[\w-]{20,}`,
    String.raw`(?:\b\d{8,10}:AA|(?<=\/bot\d{1,20}):)[\w-]{30,}`,
    String.raw`\bnpm_[A-Za-z0-9]{20,}`,
  ].join('|'),
  'g',
);
/** Nothing else can be in such a word. */
const PLAIN_WORD = /^[\w./@-]{0,59}$/;

/** What is a secret by its form, and what is put in its place. @type {[what: RegExp, by: string][]} */
const FORMS = [
  // One that is cut off hides as much as a key is long.
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?:[^]{0,8000}?-----END [A-Z ]{0,40}KEY-----|[^]{0,8000})/g,
    MASK,
  ],
  // Its last line.
  [
    /(?<=(?:^|[\n|",])[ \t]{0,8}|\\n)[\w+/=]{1,80}(?:[\s|",]|\\{1,8}[n"]){1,20}-----END [A-Z ]{0,40}KEY-----/g,
    MASK,
  ],
  // Any other of its lines.
  [
    new RegExp(
      String.raw`(?:(?<![\w+/=.-])|(?<=\\n))(?!\/)(?=[a-z0-9+/]{0,76}[A-Z])(?=[A-Za-z+/]{0,76}\d)${BASE64}{60,77}={0,2}(?![\w+/=])`,
      'g',
    ),
    MASK,
  ],
  [/(https?:\/\/)[^\s"'<>/:@]{1,500}(?=(?::|:x-oauth-basic)?@)/gi, `$1${MASK}`],
  // Not the port of a URL without a password, which may contain @ and even /.
  [
    /(:\/\/[^\s"'<>/:@]{0,300}:)(?!\d{1,5}[/?#])(?:[^\s"'<>/?#]{1,500}|[^\s"'<>]{1,500})@/g,
    `$1${MASK}@`,
  ],
  [/(https?:\/\/[^\s"'<>]{0,300}?hook[^\s"'<>/]{0,300}\/)[^\s"'<>\\]+/gi, `$1${MASK}`],
  [/([?&]code=)[^\s"'<>&#\\]+/g, `$1${MASK}`],
  [
    new RegExp(
      String.raw`\b((?:(?:with|using) ${SECRET_NOUN}|${SECRET_NOUN}(?= (?!${SLOTS}\s)\S{0,100}\d)) \\*["']?)(?!\w{1,100}=)${WORD}`,
      'gi',
    ),
    `$1${MASK}`,
  ],
  [/\b(bearer|basic) +[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [TOKEN, MASK],
];
/**
 * What is a secret by the name before it: `--token x`, `"--token", "x"`; `TOKEN=x`; `set TOKEN x`; `'Cookie: a'`;
 * `"token": "x"`, `Cookie: a=b; c=d`. The value apart, since it may contain names too.
 * @type {[name: RegExp, value: RegExp][]}
 */
const NAMED = [
  [
    new RegExp(`(?<![\\w-])(--?[\\w-]{1,100})(?:${QUOTE},\\s*|${QUOTE}${BLANKS})(?!-)`, 'g'),
    new RegExp(`${QUOTED}|(?:[^\\s"',]|,(?=[^\\s"']))+`, 'y'),
  ],
  [
    new RegExp(`${NAME}${QUOTE}(?:${BLANKS})?=>?(?:${BLANKS})?`, 'g'),
    // A comma may be part of it, but not before the next name.
    new RegExp(
      `${QUOTED}|\\$\\{\\w+\\}|(?:${BARE}|\\\\{1,4} |,(?![\\w.-]{0,100}[=:])(?=${BARE}))+`,
      'y',
    ),
  ],
  [
    new RegExp(
      `(?:\\bset(?:env)? +(?:\\S{0,100}:)?${NAME} +|${NAME} *<<< *)(?!(?:and|as|before|for|in|is|on|or|to|with)\\b)`,
      'gi',
    ),
    new RegExp(`${QUOTED}|[^\\s"',;]+`, 'y'),
  ],
  [new RegExp(`(?<=')${NAME} *: *`, 'g'), /[^'\n]+/y],
  [
    new RegExp(`${NAME}(?!${SLOTS})${QUOTE} *: *(?!null|true|false|\\*{8}')`, 'g'),
    new RegExp(
      `${QUOTED}|${NUMBER}|\\$\\{\\w+\\}|[^\\s"'{[\\\\,](?:[^\\n"{}\\\\]|\\\\(?!["\\\\]))*`,
      'y',
    ),
  ],
];

/** @param {string} text @param {readonly string[]} [known] secrets, wherever they stand @returns {string} */
export function maskText(text, known = []) {
  const without = maskKnown(text, known);
  if (PLAIN_WORD.test(without)) return without.replace(TOKEN, MASK);
  const formed = FORMS.reduce((rest, [what, by]) => rest.replace(what, by), without);
  return NAMED.reduce((rest, [name, value]) => maskAfter(rest, name, value), formed);
}

/** @param {string} text @param {readonly string[]} known secrets @returns {string} */
export function maskKnown(text, known) {
  return known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}

/** JSON stays valid: a number or a list becomes a string. @param {string} head @param {string} value */
function missingQuote(head, value) {
  return (/^[[\d-]/.test(value) && /(\\*")\s*:\s*$/.exec(head)?.[1]) || '';
}

/** @param {string} text @param {RegExp} named @param {RegExp} value */
function maskAfter(text, named, value) {
  let masked = '';
  let done = 0;
  for (const { 0: head, 1: first, 2: name = first, index } of text.matchAll(named)) {
    if (index < done || !mayHide(name)) continue;
    const start = index + head.length;
    value.lastIndex = start;
    const [found] = value.exec(text) ?? [''];
    const [quote] = /^(?:'\\''|\$?\\*["']|)/.exec(found) ?? [''];
    const closing = quote.replace('$', '');
    const isClosed = found.length > quote.length && found.endsWith(closing);
    const inner = found.slice(quote.length, isClosed ? found.length - closing.length : undefined);
    const hidden = quote + hideValue(name, inner) + (isClosed ? closing : '');
    const json = missingQuote(head, found);
    masked += text.slice(done, start) + json + hidden + json;
    done = start + found.length;
  }
  return masked + text.slice(done);
}

/** Characters; a shorter one would hide too many others. */
const MIN_LENGTH = 6;
/** They name variables, and their values are masked already. */
const WITHOUT_SECRETS = [SOURCES, 'changes'];

/**
 * @param {unknown} value settings of apps
 * @param {any} [masked] the same, masked
 * @param {boolean} [isPrivate] a URL in it is a secret, since whoever has it may send there
 * @returns {string[]} the secrets in it, as they may stand in text
 */
export function secretsIn(value, masked = maskSecrets(value), isPrivate = false) {
  if (typeof value === 'string') {
    const [, path] = (isPrivate && /^https?:\/\/[^/]+\/(.+)$/.exec(value)) || [];
    return (path === undefined ? hiddenParts(value, masked) : [path]).flatMap(asInText);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    if (WITHOUT_SECRETS.includes(key)) return [];
    if (isPrivate && key === 'headers') return Object.values(each).flatMap(asInText);
    return secretsIn(each, masked[key], isPrivate || key === 'on');
  });
}

/** @param {unknown} secret @returns {string[]} it as text and as JSON */
function asInText(secret) {
  if (typeof secret !== 'string' || secret.length < MIN_LENGTH) return [];
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
}

/** @param {string} text @param {string} masked @returns {string[]} what each mask hides */
function hiddenParts(text, masked) {
  const [before, ...rest] = masked.split(MASK);
  let start = before.length;
  return rest.map((shown, index) => {
    const isLast = index === rest.length - 1;
    const end = isLast ? text.length - shown.length : text.indexOf(shown, start);
    const part = text.slice(start, end === -1 ? text.length : end);
    start = end + shown.length;
    return part;
  });
}
