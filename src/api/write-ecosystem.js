/** Writes YAML that every reader understands alike, and ecosystem files: specs → settings → YAML. */
import { Document, isMap, isScalar, visit } from 'yaml';
import { jsonString } from '../shared/quoting.js';

export { validName } from '../config/resolve/names.js';
export { settingsOf } from '../config/settings-of.js';

/** @import { ScalarTag, Tags } from 'yaml' */

/**
 * @param {{settings: Record<string, unknown>, remarks?: string[]}[]} apps remarks: lines below the settings
 * @param {string[]} head lines above them
 */
export function writeYaml(apps, head) {
  const document = yamlDocument({ apps: apps.map(({ settings }) => settings) });
  visit(document, {
    Seq(_, list) {
      list.flow = list.items.every(isScalar);
    },
  });
  document.commentBefore = asComment(head);
  for (const [index, { remarks = [] }] of apps.entries()) {
    const app = document.getIn(['apps', index]);
    if (!isMap(app)) continue;
    app.spaceBefore = index > 0;
    if (remarks.length > 0) app.comment = asComment(remarks);
  }
  return yamlText(document);
}

/** @param {string[]} lines */
function asComment(lines) {
  return lines.map((line) => (line === '' ? '' : ` ${printable(line)}`)).join('\n');
}

/** @param {string} text that may contain anything, as names of variables do @returns {string} for a comment */
export function printable(text) {
  return text.replace(/[\p{C}\u2028\u2029]/gu, '?');
}

/**
 * kubectl and PyYAML read YAML 1.1, where `no` is false, `22:22` a number and U+2028 the end of a line; `nodecluster`
 * itself reads 1.2, where `0o7` is a number.
 * @param {unknown} data values that are undefined are left out
 */
export function yamlDocument(data) {
  return new Document(data, {
    version: '1.1',
    compat: 'core',
    aliasDuplicateObjects: false,
    customTags: (tags) => tags.flatMap(ownTag),
  });
}

/** @param {Document} document of yamlDocument */
export function yamlText(document) {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** One line that does not begin like a word, or has what means something in a list; characters that end a line. */
const NEEDS_QUOTES =
  /^(?!(?:-{0,2}[\p{L}_./$(]|\d)[^?\n]*$).*$|^\s|^\d{4}-\d| (?:\n|$)|(?!\n)[\p{Cc}\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/u;

/** @param {Tags[number]} tag @returns {Tags} without the one of `<<`, which would take strings too */
function ownTag(tag) {
  if (typeof tag === 'string' || tag.tag === 'tag:yaml.org,2002:merge') return [];
  if (tag.tag !== 'tag:yaml.org,2002:str') return [tag];
  const scalar = /** @type {Required<ScalarTag>} */ (tag);
  /** @type {typeof scalar.stringify} */
  const stringify = (item, context, ...rest) => {
    const text = String(item.value);
    const isQuoted = NEEDS_QUOTES.test(text) || (context.inFlow && text.includes('\n'));
    return isQuoted ? jsonString(text) : scalar.stringify(item, context, ...rest);
  };
  return [{ ...scalar, stringify }];
}
