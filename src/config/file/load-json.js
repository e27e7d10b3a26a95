/** JSON text → values with positions. Files written for PM2 have comments and keys without quotes, as JSON5. */
import { evaluate, parse, tokenize } from '@humanwhocodes/momoa';
import { NodeclusterError } from '../../errors/error.js';
import { syntaxError } from './syntax-error.js';

/**
 * @import { MemberNode, ValueNode } from '@humanwhocodes/momoa'
 * @import { Path } from './config-value.js'
 * @import { ParsedText } from './load.js'
 */

/** @typedef {{line: number, column: number, offset: number}} Position */

const JSON5 = /** @type {const} */ ({ mode: 'json5' });
const MAX_DEPTH = 100;
/** Matches in a string that is not closed: JSON5 allows a line break only after a backslash. */
const LINE_BREAK = /(?<!\\\r?)\n/;

/** @param {string} text @param {string} label how messages name the file @returns {ParsedText} */
export function parseJson(text, label) {
  const root = parseTree(text, label);
  return {
    value: evaluate(root),
    locate(path, part) {
      const { key, node } = follow(root, path);
      const { line, column } = (part === 'key' ? key : node).loc.start;
      return { line, column };
    },
    written(path) {
      const { type, loc } = follow(root, path).node;
      return type === 'String' ? null : text.slice(loc.start.offset, loc.end.offset);
    },
  };
}

/** @param {string} text @param {string} label */
function parseTree(text, label) {
  const fail = (/** @type {string} */ reason, /** @type {Position} */ position) => {
    throw syntaxError({ text, label, language: 'JSON' }, reason, position);
  };
  try {
    checkTokens(text, fail);
    const root = parse(text, JSON5).body;
    checkKeys(root, fail);
    return root;
  } catch (error) {
    if (error instanceof NodeclusterError) throw error;
    const isAtEnd = /end of input/.test(/** @type {Error} */ (error).message);
    const lines = text.split('\n');
    const end = { line: lines.length, column: lines[lines.length - 1].length + 1 };
    const position = isAtEnd ? { ...end, offset: text.length } : /** @type {any} */ (error);
    const found = text.slice(position.offset).match(/^(?:"[^"\n]*"?|[\w.+-]+|.)/)?.[0];
    return fail(`unexpected ${found?.slice(0, 40) ?? 'end of the file'}`, position);
  }
}

/** @param {string} text @param {(reason: string, at: Position) => void} fail */
function checkTokens(text, fail) {
  // The parser would overflow the stack on deep nesting, and lets an open string run on into the next lines.
  let depth = 0;
  for (const { type, loc } of tokenize(text, JSON5)) {
    if (type === 'LBrace' || type === 'LBracket') depth += 1;
    if (type === 'RBrace' || type === 'RBracket') depth -= 1;
    if (depth > MAX_DEPTH) fail(`nested more than ${MAX_DEPTH} levels deep`, loc.start);
    const runsOn =
      type === 'String' && LINE_BREAK.test(text.slice(loc.start.offset, loc.end.offset));
    if (runsOn) fail('a string that is not closed', loc.start);
  }
}

/** @param {ValueNode} node @param {(reason: string, at: Position) => void} fail */
function checkKeys(node, fail) {
  if (node.type === 'Array') for (const { value } of node.elements) checkKeys(value, fail);
  if (node.type !== 'Object') return;
  const known = new Set();
  for (const member of node.members) {
    const key = keyOf(member);
    if (known.has(key)) fail(`the key "${key}" is given twice`, member.loc.start);
    known.add(key);
    checkKeys(member.value, fail);
  }
}

/** @param {MemberNode} member */
function keyOf({ name }) {
  return name.type === 'String' ? name.value : name.name;
}

/** @param {ValueNode} root @param {Path} path @returns what is there, or at the nearest above */
function follow(root, path) {
  let found = { key: /** @type {{loc: ValueNode['loc']}} */ (root), node: root };
  for (const step of path) {
    const { node } = found;
    if (node.type === 'Object') {
      const member = node.members.find((each) => keyOf(each) === String(step));
      if (!member) break;
      found = { key: member.name, node: member.value };
    } else if (node.type === 'Array' && node.elements[Number(step)]) {
      const { value } = node.elements[Number(step)];
      found = { key: value, node: value };
    } else break;
  }
  return found;
}
