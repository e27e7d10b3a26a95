/** YAML text → values with positions. The only importer of yaml. */
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { NodeclusterError } from '../../errors/error.js';
import { excerptOf, positionOf } from './text-position.js';

/**
 * @import { Document, YAMLMap } from 'yaml'
 * @import { ParsedText } from './load.js'
 * @import { Path } from './position.js'
 */

/** An alias may stand for at most this many nodes: enough for shared env blocks, too few for a bomb. */
const MAX_ALIAS_COUNT = 100;

/**
 * @param {string} text
 * @param {string} source how messages name the file
 * @returns {ParsedText}
 * @throws {NodeclusterError} E_CONFIG_SYNTAX
 */
export function parseYaml(text, source) {
  const parsed = parseDocument(text, { prettyErrors: false, merge: true, logLevel: 'error' });
  const fault = parsed.errors[0] ?? parsed.warnings[0];
  if (fault) throw syntaxError(source, describeFault(fault), { text, offset: fault.pos[0] });
  return {
    value: plainValue(parsed, source),
    locate(path, what) {
      const { key, node } = follow(parsed, path);
      const range = (what === 'key' ? (key ?? node) : node)?.range ?? key?.range;
      return range ? positionOf(text, range[0]) : null;
    },
    written(path) {
      const node = standsFor(follow(parsed, path).node, parsed);
      return isScalar(node) && node.type === 'PLAIN' ? (node.source ?? null) : null;
    },
  };
}

/** @param {{code: string, message: string}} fault */
function describeFault({ code, message }) {
  if (code === 'TAB_AS_INDENT') return 'a tab indents this line; YAML wants spaces';
  if (code === 'DUPLICATE_KEY') return 'this key is given twice in the same map';
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here (---); one is expected';
  if (code === 'RESOURCE_EXHAUSTION') return 'it is nested too deeply';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/**
 * @param {Document} parsed
 * @param {string} source
 */
function plainValue(parsed, source) {
  try {
    return parsed.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const unknown = /Unresolved alias .*: (.*)$/.exec(message)?.[1];
    if (unknown) throw syntaxError(source, `the alias *${unknown} stands for nothing above it`);
    if (/alias/i.test(message)) {
      throw syntaxError(source, `its aliases stand for more than ${MAX_ALIAS_COUNT} values`);
    }
    throw syntaxError(source, message);
  }
}

/**
 * The node at a path, or the nearest one above it. Of an alias, the place where it is used.
 * @param {Document} parsed
 * @param {Path} path
 * @returns {{key: any, node: any}}
 */
function follow(parsed, path) {
  /** @type {{key: any, node: any}} */
  let found = { key: null, node: parsed.contents };
  for (const step of path) {
    const next = stepInto(standsFor(found.node, parsed), step, parsed);
    if (!next) break;
    found = next;
  }
  return found;
}

/**
 * @param {any} holder
 * @param {string|number} step
 * @param {Document} parsed
 * @returns {{key: any, node: any}|null}
 */
function stepInto(holder, step, parsed) {
  if (isSeq(holder)) {
    const node = holder.items[Number(step)];
    return node ? { key: null, node } : null;
  }
  if (!isMap(holder)) return null;
  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  if (pair) return { key: pair.key, node: pair.value };
  for (const source of mergedInto(holder, parsed)) {
    const found = stepInto(source, step, parsed);
    if (found) return found;
  }
  return null;
}

/**
 * @param {YAMLMap<any, any>} map
 * @param {Document} parsed
 * @returns {any[]} the maps that `<<` names; what an earlier one has goes over the later ones
 */
function mergedInto({ items }, parsed) {
  // A quoted "<<" is a key like any other, and its value is a text.
  const merges = items.filter(({ key }) => isScalar(key) && typeof key.value === 'symbol');
  const sources = merges.flatMap(({ value }) => {
    const source = standsFor(value, parsed);
    return isSeq(source) ? source.items : [source];
  });
  return sources.map((source) => standsFor(source, parsed));
}

/**
 * @param {any} node
 * @param {Document} parsed
 */
function standsFor(node, parsed) {
  return isAlias(node) ? node.resolve(parsed) : node;
}

/**
 * @param {string} source
 * @param {string} reason
 * @param {{text: string, offset: number}} [at]
 */
function syntaxError(source, reason, at) {
  const position = at && positionOf(at.text, at.offset);
  const excerpt = at && position && excerptOf(at.text, position);
  const data = { file: source, language: 'YAML', reason, ...position, excerpt };
  return new NodeclusterError('E_CONFIG_SYNTAX', data);
}
