/** YAML text → values with positions. JSON is YAML but for what JSON5 adds, which files written for PM2 have. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { NodeclusterError } from '../../errors/error.js';
import { maskText } from '../../shared/secrets.js';

/**
 * @import { Document } from 'yaml'
 * @import { Path } from './config-value.js'
 * @import { ParsedText } from './load.js'
 *
 * @typedef {{message: string, pos: number[]}} Fault
 */

/** Enough for shared env blocks, too few for an alias bomb. */
const MAX_ALIAS_COUNT = 100;
/** Each alias is looked for in the whole document. */
const MAX_ALIASES = 1000;
/** A width that keeps the one long line of a minified file from filling the screen. */
const EXCERPT_WIDTH = 100;

const INDENTED = 'the indentation does not fit the lines above';
/** In place of messages of the parser. @type {[RegExp, string][]} */
const WORDING = [
  [/^Source contains multiple/, 'a second document starts here (---); one is expected'],
  [/^Maximum call stack/, 'it is nested too deeply'],
  [/^Unexpected .*scalar/, 'this is not expected here'],
  [/^All \w+ items must|^Sequence item without/, INDENTED],
  [/^Implicit key|^Block coll/, 'this runs on: a comma, a colon or a quote is missing'],
  [/^Excessive alias/, `its aliases expand to more than ${MAX_ALIAS_COUNT} values`],
];

/** @param {string} text @param {string} label how messages name the file @param {'YAML' | 'JSON'} language @returns {ParsedText} */
export function parseText(text, label, language) {
  const lineCounter = new LineCounter();
  const parsed = parseDocument(language === 'JSON' ? yamlOf(text) : text, {
    prettyErrors: false,
    merge: true,
    logLevel: 'error',
    lineCounter,
    // The parser compares each key with all others, which takes 20 s for 80,000 keys.
    uniqueKeys: false,
  });
  const positionOf = (/** @type {number} */ offset) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const fail = (/** @type {string} */ message, /** @type {number | null} */ offset) => {
    const at = offset === null ? null : positionOf(offset);
    const reason = wordingOf(message, text, at?.line);
    const excerpt = at && excerptOf(text, at);
    throw new NodeclusterError('E_CONFIG_SYNTAX', {
      file: label,
      language,
      reason,
      ...at,
      excerpt,
    });
  };
  const fault = parsed.errors[0] ?? readScalars(parsed, language, positionOf) ?? parsed.warnings[0];
  if (fault) fail(fault.message, fault.pos[0]);
  const locate = (/** @type {Path} */ path, part = 'value') => {
    const { key, node } = follow(parsed, path);
    const range = (part === 'key' ? (key ?? node) : node)?.range ?? key?.range;
    return range ? positionOf(range[0]) : null;
  };
  try {
    return { value: parsed.toJS({ maxAliasCount: MAX_ALIAS_COUNT }), locate };
  } catch (error) {
    return fail(/** @type {Error} */ (error).message, null);
  }
}

/** Of an indentation, both lines are named: either may be the wrong one. @param {string} message @param {string} text @param {number} [line] */
function wordingOf(message, text, line) {
  const [, wording] = WORDING.find(([pattern]) => pattern.test(message)) ?? [];
  if (!line || wording !== INDENTED)
    return wording ?? message.charAt(0).toLowerCase() + message.slice(1);
  const lines = text.split('\n');
  const above = lines.slice(0, line - 1).findLastIndex((each) => /^\s*[^\s#]/.test(each));
  // The keys of a list's item stand behind its dash.
  const [own, other] = [/^ */.exec(lines[line - 1]), /^[ -]*/.exec(lines[above])].map(String);
  return `its indentation of ${own.length} does not fit that of line ${above + 1}, which is ${other.length}`;
}

/** Numbers that are written in another way than JavaScript would, as 1.10 and 007, keep their text. @param {Document.Parsed} parsed @param {'YAML' | 'JSON'} language @param {(offset: number) => {line: number}} positionOf */
function readScalars(parsed, language, positionOf) {
  /** @type {Fault | null} */
  let fault = null;
  let aliases = 0;
  const report = (/** @type {any} */ node, /** @type {string} */ message) => {
    fault = { message, pos: node.range };
    return visit.BREAK;
  };
  visit(parsed, {
    Map(_key, { items }) {
      /** @type {Map<unknown, number>} */
      const seen = new Map();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const first = seen.get(key.value);
        if (first !== undefined) {
          const { line } = positionOf(first);
          return report(key, `this key is in the same map already, in line ${line}`);
        }
        seen.set(key.value, key.range?.[0] ?? 0);
      }
    },
    Alias(_key, node) {
      aliases += 1;
      if (aliases > MAX_ALIASES) return report(node, `it has more than ${MAX_ALIASES} aliases`);
    },
    Scalar(key, node) {
      const { source, value, type } = node;
      if (language === 'JSON' && key !== 'key' && typeof value === 'string' && type === 'PLAIN') {
        return report(node, 'this string has no quotes');
      }
      if (key === 'key' || typeof value !== 'number' || source === String(value)) return;
      node.value = Object.assign(Object(value), { toString: () => source });
    },
  });
  return fault;
}

/** What is at the path or nearest above it; what an alias or a merge brings is where that is used. @param {Document} parsed @param {Path} path */
function follow(parsed, path) {
  /** @type {{key: any, node: any}} */
  let found = { key: null, node: parsed.contents };
  for (const step of path) {
    const { node } = found;
    const pair = isMap(node) && node.items.find(({ key }) => String(key) === String(step));
    const next = isSeq(node) ? { key: null, node: node.items[Number(step)] } : pair;
    if (!next) break;
    found = 'value' in next ? { key: next.key, node: next.value } : next;
  }
  return found;
}

/** @param {string} text @param {{line: number, column: number}} at the line, with a caret below */
function excerptOf(text, { line, column }) {
  const start = column > EXCERPT_WIDTH ? column - EXCERPT_WIDTH / 2 : 0;
  const whole = (text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
  const shown = whole.slice(start, start + EXCERPT_WIDTH).trimEnd();
  const gutter = `  ${line} | `;
  const masked = maskText(shown);
  // What is masked has another length.
  if (masked !== shown) return gutter + masked;
  return `${gutter}${shown}\n${' '.repeat(gutter.length - 2)}| ${' '.repeat(column - 1 - start)}^`;
}

/** Strings, which may be open; comments; other white space; a colon with no space between an identifier and its value. */
const JSON5 =
  /(["'])((?:\\(?:\r\n|[^])|(?!\1)[^\\\n])*)(\1?)|\/\/.*|\/\*(?:[^]*?\*\/|[^]*)|[^\S\n]|(?<=[\w$]):(?=\S)/g;

/** Each value stays in its line, and in a file as people write it in its column too. @param {string} text */
function yamlOf(text) {
  return text.replace(JSON5, (found, quote, inner, end) => {
    if (quote) return `"${inner.replace(/\\[^]|"/g, inDoubleQuotes)}${end && '"'}`;
    return found === ':' ? ': ' : found.replace(/[^\n]/g, ' ');
  });
}

/** @param {string} part of a string in any quotes */
function inDoubleQuotes(part) {
  if (part === '"') return '\\"';
  return part === "\\'" ? "'" : part;
}
