/**
 * What has a name that says so is secret, and the password of a URL. Every pattern is bounded: text may be hostile.
 * @typedef {(secret: string) => string} Hide what to put in the place of a secret
 */
import { attempt } from '../errors/error.js';
import { shellLine } from './quoting.js';

export const MASK = '********';

const SECRET_NAMES = [
  /(?:password|passwd|passphrase|passcode|secret|token|credential|authorization|api_?key|private_?key)(?:s?(?![a-z])|s?_)/i,
  /(?:^|_)(?:keys?|auth|oauth|dsn|salt|pepper|cookie|csrf|bearer|pin|creds?|jwt|otp|hmac|sig|signature)$|^(?:connect_)?sid$|sess(?:ion)?id$|psk$|(?:access|account|auth|encryption|signing|jwt|ssh|deploy|master|stripe)key$|pw$|pwd$|(?<!by|com|sur|tres)pass$/i,
];
/** `--show-secrets`, `MAX_TOKENS`: a word before the secret. `DB_PASSWORD_FILE`, `TOKEN_TTL`, `token.js`: a word after it. */
const HARMLESS_NAMES = [
  /^(?:OLD)?PWD$/,
  /^(?:show|with|no|max|min|use|enable|disable|has|is)_|(?:^|_)(?:public|publishable|primary|foreign|sort|partition|cache)_keys?$/i,
  /_(?:stdin|file|path|dir|directory|ttl|ms|seconds|minutes|hours|days|expires?|expiry|count|length|size|limit|rounds|policy|issuer|audience|url|uri|arn|id|name|header|type|algorithm|[cm]?[jt]sx?)$/i,
];
/** A reference such as `Bearer ${TOKEN}`; a path, but not what only begins with a slash, as base64 may; a switch. */
const HARMLESS_VALUE =
  /^(?:\w{1,20} )?(?:\$\{\w{1,100}\}|\$[A-Z_][A-Z0-9_]{1,100})+$|^(?:\.{1,2}|~|\/(?:app|data|dev|etc|home|mnt|opt|proc|root|run|srv|tmp|usr|var))\/[\w./@-]+$|^(?:true|false|yes|no|on|off|none|null)?$/i;

/** @param {string} name also of a flag or a header */
function isSecretName(name) {
  const plain = name.replace(/^-+/, '').replaceAll(/[.-]/g, '_');
  const snake = plain.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  const isIn = (/** @type {RegExp[]} */ names) => names.some((each) => each.test(snake));
  return isIn(SECRET_NAMES) && !isIn(HARMLESS_NAMES);
}

/** @param {string} name of a variable @param {string} value @returns {string} it, or the mask */
export function maskSecret(name, value) {
  return maskSecrets(value, name) === value ? value : MASK;
}

/** @param {Record<string, string>} variables */
export function splitSecrets(variables) {
  const all = Object.entries(variables);
  const isPlain = (/** @type {[string, string]} */ [name, value]) =>
    maskSecret(name, value) !== MASK;
  return {
    plain: Object.fromEntries(all.filter(isPlain)),
    secrets: Object.fromEntries(all.filter((each) => !isPlain(each))),
  };
}

/** @param {readonly string[]} words @returns {string} a line for a shell */
export function maskCommand(words) {
  return shellLine(maskSecrets(words));
}

/**
 * Hides secrets in what JSON can hold: by the names of members and of arguments, and in the text of all others.
 * @param {any} value @param {string} [name] of the member that has it @param {Hide} [hide] @returns {any}
 */
export function maskSecrets(value, name = '', hide = () => MASK) {
  if (name === 'given') return value; // where each came from
  if (typeof value === 'string') return maskMember(value, name, hide);
  const isList = Array.isArray(value);
  if (isSecretName(name) && (isList || typeof value === 'number')) return hide(String(value));
  if (isList) return value.map((each, index) => maskItem(each, value[index - 1], name, hide));
  if (typeof value !== 'object' || value === null) return value;
  // Every header may be secret.
  const nameOf = (/** @type {string} */ key) => (name === 'headers' ? 'authorization' : key);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, maskSecrets(each, nameOf(key), hide)]),
  );
}

/** @param {string} text @param {string} name @param {Hide} hide */
function maskMember(text, name, hide) {
  if (name === 'post' && !HARMLESS_VALUE.test(text)) {
    // Whoever has the path of a webhook may send there.
    const [, server = '', path] = /^(https?:\/\/[^/?#]+\/?)?(.*)$/s.exec(text) ?? [];
    return maskLine(server, hide) + (path && hide(path));
  }
  if (isSecretName(name)) return HARMLESS_VALUE.test(text) ? text : hide(text);
  const shown = maskText(text, hide);
  // What follows in the next lines may belong to it.
  return shown !== text && text.includes('\n') ? hide(text) : shown;
}

/** @param {any} word @param {any} before the word before, which may name this one @param {string} name @param {Hide} hide */
function maskItem(word, before, name, hide) {
  // Settings that differ are masked where they are made; the name of each is its `key`.
  if (word?.key && /^(changes|differences)$/.test(name)) return word;
  if (typeof word !== 'string') return maskSecrets(word, name, hide);
  // `API_KEY=x y`, `--set-env=API_KEY=x y`
  const [head = '', variable = ''] = /^(?:[\w.-]{1,100}=)?([\w.-]{1,100})=/.exec(word) ?? [];
  if (isSecretName(variable)) return head + maskMember(word.slice(head.length), variable, hide);
  const isNamed = /^--[\w-]+$/.test(before) && !word.startsWith('-');
  return maskMember(word, isNamed ? before : '', hide);
}

/** @param {string} text @param {Hide} [hide] @returns {string} */
export function maskText(text, hide = () => MASK) {
  const lines = text.split('\n');
  return lines.map((line) => maskJson(line, hide) ?? maskLine(line, hide)).join('\n');
}

/** @param {string} line @param {Hide} hide @returns {string | null} null: it is not JSON */
function maskJson(line, hide) {
  if (!/^[{[]/.test(line)) return null;
  return attempt(() => {
    const value = JSON.parse(line);
    const shown = JSON.stringify(maskSecrets(value, '', hide));
    return shown === JSON.stringify(value) ? line : shown;
  }, null);
}

/** `TOKEN=x`, `PASSWORD => x`, `"token": "x"`, `--token x`; but not `token:0`, a worker. Also within JSON in a text. */
const NAMED =
  /(?<![\w.-])([\w.-]{1,100})\\{0,4}["']?(\s{0,9}(?:=>?|:(?!\d{1,3}(?![\w.-])))\s{0,9}|,?\s{1,9}(?!-))/g;
const QUOTED = String.raw`"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\\{1,4}"[^"\n]*"?|\$\{\w+\}`;
const WORD = new RegExp(`${QUOTED}|(?:[^\\s"',;&\\\\]|\\\\(?!["'n\\\\]))+`, 'y');
/** What follows a colon: `Cookie: a=b; c=d`. */
const LINE = new RegExp(`${QUOTED}|[^\\s"'{[,\\\\](?:[^\\n"'{}\\\\]|\\\\(?!["'n\\\\]))*`, 'y');
/** The password of a URL, unless that is a port, and it may contain @ and even /; or its user, which is a token. */
const URL_SECRETS = [
  /(:\/\/[^\s"'<>/:@]{0,300}:)(?!\d{1,5}[/?#])([^\s"'<>/?#]{1,300}|[^\s"'<>]{1,300})@/g,
  /(https?:\/\/)([^\s"'<>/:@]{1,300})(?::|:x-oauth-basic)?@/gi,
];

/** @param {string} line @param {Hide} hide */
function maskLine(line, hide) {
  let shown = line;
  for (const url of URL_SECRETS) shown = shown.replace(url, (_, head, it) => `${head}${hide(it)}@`);
  // First the shorter values, since a line may have some of them.
  return maskNamed(maskNamed(shown, WORD, hide), LINE, hide);
}

/** @param {string} text @param {RegExp} value @param {Hide} hide */
function maskNamed(text, value, hide) {
  let shown = '';
  let done = 0;
  for (const { 0: head, 1: name, 2: separator, index } of text.matchAll(NAMED)) {
    const isName = /[=:]/.test(separator) || name.startsWith('--');
    const isOther = separator.includes(':') !== (value === LINE);
    if (index < done || !isName || isOther || !isSecretName(name)) continue;
    value.lastIndex = index + head.length;
    const [found] = value.exec(text) ?? [''];
    const [, open, inner, close] = /^(\\*["']?)([^]*?)(\\*["']?[\s,]*)$/.exec(found) ?? [];
    shown += text.slice(done, index + head.length) + open + maskMember(inner, name, hide) + close;
    done = index + head.length + found.length;
  }
  return shown + text.slice(done);
}

/** @param {unknown} settings of apps @returns {string[]} the secrets in it, as they may stand in text: as they are, and in JSON */
export function secretsIn(settings) {
  /** @type {Set<string>} */
  const found = new Set();
  maskSecrets(settings, '', (secret) => {
    // A shorter one would hide too many others.
    if (secret.length > 5 && secret !== MASK)
      found.add(secret).add(JSON.stringify(secret).slice(1, -1));
    return MASK;
  });
  return [...found];
}
