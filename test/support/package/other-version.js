/**
 * A copy of this package that is another version, with another protocol: its messages have fields
 * that this one does not know, and lack some.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** @typedef {Record<string, (string | RegExp)[][]>} Edits replacements by file */

/** @type {Edits} a version from a future in which much has changed. */
const FUTURE = {
  'src/daemon/apps/view.js': [['    note: noteOf(app),', '    future: { notes: [noteOf(app)] },']],
  'src/daemon/apps/app.js': [
    ['    return {\n      spec,', '    return {\n      future: 1,\n      spec,'],
  ],
  'src/primary/control/snapshot.js': [
    ['    name: app.name,', '    name: app.name,\n    future: 1,'],
  ],
  'src/daemon/control/commands.js': [["{ name: 'reload',", "{ name: 'replace-all',"]],
};

/**
 * @param {string} directory that does not exist
 * @param {object} options
 * @param {string} options.version
 * @param {number} options.protocol
 * @param {number} options.oldest
 * @param {Edits} [options.edits] further replacements by file
 * @returns {string} the path of its command
 */
export function makeOtherVersion(directory, { version, protocol, oldest, edits = {} }) {
  for (const name of ['src', 'bin', 'package.json']) {
    cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const numbers = {
    'package.json': [[/"version": ".*"/, `"version": "${version}"`]],
    'src/shared/version.js': [
      [/PROTOCOL_VERSION = \d+/, `PROTOCOL_VERSION = ${protocol}`],
      [/OLDEST_PROTOCOL = \d+/, `OLDEST_PROTOCOL = ${oldest}`],
    ],
  };
  for (const [file, replacements] of Object.entries({ ...numbers, ...FUTURE, ...edits })) {
    edit(join(directory, file), replacements);
  }
  return join(directory, 'bin', 'nodecluster.js');
}

/** @param {string} path @param {(string | RegExp)[][]} replacements */
function edit(path, replacements) {
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of replacements) {
    const changed = text.replace(from, /** @type {string} */ (to));
    if (changed === text) throw new Error(`${path} has no ${from}`);
    text = changed;
  }
  writeFileSync(path, text);
}
