/** Data whose values know the setting that they stem from → YAML with comments. The only importer of yaml here. */
import { Document, Scalar } from 'yaml';
import { printable } from './head.js';

/**
 * @param {string | number | boolean | undefined} value
 * @param {string | null} comment what its line says about it; null: the value says it all
 * @returns {unknown} for toYaml
 */
export function noted(value, comment) {
  if (comment === null) return value;
  const node = new Scalar(value);
  node.comment = ` ${printable(comment)}`;
  return node;
}

/**
 * Keys whose value is undefined are left out.
 * @param {Record<string, unknown>} data
 * @returns {string} without comments at its head
 */
export function toYaml(data) {
  // kubectl and podman-compose read YAML 1.1, where `no` is false and `22:22` a number.
  const document = new Document(data, { version: '1.1', aliasDuplicateObjects: false });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
