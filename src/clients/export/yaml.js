/** Data whose values know the setting that they stem from → YAML with comments. The only importer of yaml here. */
import { Document, Scalar, isCollection, isScalar } from 'yaml';
import { printable } from './head.js';

/** @import { Node } from 'yaml' */

/** A value and what the line says about it. */
class Noted {
  /** @param {unknown} value @param {string} comment */
  constructor(value, comment) {
    this.value = value;
    this.comment = comment;
  }
}

/**
 * @param {unknown} value a scalar, or a list or map, which then has the comment above it
 * @param {string | null} comment null: the value says it all
 * @returns {unknown} for toYaml
 */
export function noted(value, comment) {
  return comment === null ? value : new Noted(value, comment);
}

/**
 * Keys whose value is undefined are left out.
 * @param {Record<string, unknown>} data
 * @returns {string} without comments at its head
 */
export function toYaml(data) {
  // kubectl and podman-compose read YAML 1.1, where `no` is false and `22:22` a number.
  const document = new Document(undefined, { version: '1.1' });
  document.contents = /** @type {any} */ (nodeOf(data, document));
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** @param {unknown} data @param {Document} document @returns {Node} */
function nodeOf(data, document) {
  if (data instanceof Noted) return withComment(nodeOf(data.value, document), data.comment);
  if (Array.isArray(data)) return listOf(data, document);
  if (typeof data === 'object' && data !== null) return mapOf(data, document);
  const node = new Scalar(data);
  if (typeof data === 'string' && data.includes('\n')) node.type = Scalar.BLOCK_LITERAL;
  return node;
}

/** @param {unknown[]} items @param {Document} document */
function listOf(items, document) {
  const list = /** @type {any} */ (document.createNode([]));
  for (const item of items) {
    const node = nodeOf(item, document);
    list.add(node);
  }
  return list;
}

/** @param {object} values @param {Document} document */
function mapOf(values, document) {
  const map = /** @type {any} */ (document.createNode({}));
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const key = new Scalar(name);
    const node = nodeOf(value, document);
    // Above a list or a map, a comment belongs before its key.
    if (isCollection(node) && node.commentBefore) {
      key.commentBefore = node.commentBefore;
      node.commentBefore = undefined;
    }
    map.add(document.createPair(key, node));
  }
  return map;
}

/** @param {Node} node @param {string} comment */
function withComment(node, comment) {
  const text = ` ${printable(comment)}`;
  if (isScalar(node) && node.type !== Scalar.BLOCK_LITERAL) node.comment = text;
  else node.commentBefore = text;
  return node;
}
