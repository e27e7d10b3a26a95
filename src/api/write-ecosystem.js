/** Writes an ecosystem file: specs → settings → YAML. */
import { Document, isMap, isScalar, visit } from 'yaml';
import { maskedSpec, settingsOf } from '../config/settings-of.js';

/** @import { Spec } from '../config/spec.js' */

/** Without what is secret in them; variables keep their values. @param {Spec} spec */
export function settingsToShow(spec) {
  return settingsOf(maskedSpec(spec));
}

/**
 * @param {{settings: Record<string, unknown>, remarks?: string[]}[]} apps remarks: lines below the settings
 * @param {string[]} head lines above them
 * @returns {string} YAML with comments
 */
export function writeYaml(apps, head) {
  const document = new Document({ apps: apps.map(({ settings }) => settings) });
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
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Names of variables may contain anything. @param {string[]} lines */
function asComment(lines) {
  const printable = lines.map((line) => line.replace(/[\p{Cc}\p{Cf}]/gu, '?'));
  return printable.map((line) => (line === '' ? '' : ` ${line}`)).join('\n');
}
