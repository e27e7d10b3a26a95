/** YAML text → values with positions. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { syntaxError } from './syntax-error.js';

/**
 * @import { Document, YAMLMap } from 'yaml'
 * @import { Path } from './config-value.js'
 * @import { ParsedText } from './load.js'
 */

/** Enough for shared env blocks, too few for an alias bomb. */
const MAX_ALIAS_COUNT = 100;
/** Each alias is looked for in the whole document. */
const MAX_ALIASES = 1000;

/** @param {string} text @param {string} label how messages name the file @returns {ParsedText} */
export function parseYaml(text, label) {
  const file = { text, label, language: 'YAML' };
  const lineCounter = new LineCounter();
  const parsed = parseDocument(text, {
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
  const fault = parsed.errors[0] ?? findFault(parsed) ?? parsed.warnings[0];
  if (fault) throw syntaxError(file, describeFault(fault), positionOf(fault.pos[0]));
  return {
    value: plainValue(parsed, file),
    locate(path, part) {
      const { key, node } = follow(parsed, path);
      const range = (part === 'key' ? (key ?? node) : node)?.range ?? key?.range;
      return range ? positionOf(range[0]) : null;
    },
    written(path) {
      const node = resolveAlias(follow(parsed, path).node, parsed);
      return isScalar(node) && node.type === 'PLAIN' ? (node.source ?? null) : null;
    },
  };
}

/** The first key that is given twice, or the first alias too many. @param {Document.Parsed} parsed */
function findFault(parsed) {
  /** @type {{code: string, message: string, pos: number[]} | null} */
  let fault = null;
  let aliases = 0;
  const report = (/** @type {any} */ node, code = '', message = '') => {
    fault = { code, message, pos: node.range };
    return visit.BREAK;
  };
  visit(parsed, {
    Map(_key, { items }) {
      const seen = new Set();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) return report(key, 'DUPLICATE_KEY');
        seen.add(key.value);
      }
    },
    Alias(_key, node) {
      aliases += 1;
      if (aliases > MAX_ALIASES) return report(node, '', `it has more than ${MAX_ALIASES} aliases`);
    },
  });
  return fault;
}

/** @param {{code: string, message: string}} fault */
function describeFault({ code, message }) {
  if (code === 'TAB_AS_INDENT') return 'this line is indented with a tab; YAML needs spaces';
  if (code === 'DUPLICATE_KEY') return 'this key is given twice in the same map';
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here (---); one is expected';
  if (code === 'RESOURCE_EXHAUSTION') return 'it is nested too deeply';
  if (/^All \w+ items must start|^Sequence item without/.test(message)) {
    return 'the indentation of this line does not fit the lines above it';
  }
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** @param {Document} parsed @param {{text: string, label: string, language: string}} file */
function plainValue(parsed, file) {
  try {
    return parsed.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const unknown = /Unresolved alias .*: (.*)$/.exec(message)?.[1];
    if (unknown) throw syntaxError(file, `there is no &${unknown} above for the alias *${unknown}`);
    if (/alias/i.test(message)) {
      throw syntaxError(file, `its aliases expand to more than ${MAX_ALIAS_COUNT} values`);
    }
    throw syntaxError(file, message);
  }
}

/** An alias is found where it is used. @param {Document} parsed @param {Path} path */
function follow(parsed, path) {
  /** @type {{key: any, node: any}} */
  let found = { key: null, node: parsed.contents };
  for (const step of path) {
    const next = stepInto(resolveAlias(found.node, parsed), step, parsed);
    if (!next) break;
    found = next;
  }
  return found;
}

/** @param {any} holder @param {string|number} step @param {Document} parsed @returns {any} */
function stepInto(holder, step, parsed) {
  if (isSeq(holder)) {
    const node = holder.items[Number(step)];
    return node ? { key: null, node } : null;
  }
  if (!isMap(holder)) return null;
  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  if (pair) return { key: pair.key, node: pair.value };
  for (const source of mergeSources(holder, parsed)) {
    const found = stepInto(source, step, parsed);
    if (found) return found;
  }
  return null;
}

/** What `<<` names; earlier ones win. @param {YAMLMap<any, any>} map @param {Document} parsed */
function mergeSources({ items }, parsed) {
  // A quoted "<<" is an ordinary key.
  const merges = items.filter(({ key }) => isScalar(key) && typeof key.value === 'symbol');
  const sources = merges.flatMap(({ value }) => {
    const source = resolveAlias(value, parsed);
    return isSeq(source) ? source.items : [source];
  });
  return sources.map((source) => resolveAlias(source, parsed));
}

/** @param {any} node @param {Document} parsed */
function resolveAlias(node, parsed) {
  return isAlias(node) ? node.resolve(parsed) : node;
}
