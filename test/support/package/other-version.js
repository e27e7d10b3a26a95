/**
 * A copy of this package that is another version, with another protocol: its messages have fields
 * that this one does not know. Where the package under test was built, it is built too.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { attempt } from '../../../src/errors/error.js';
import { PACKAGE } from '../home.js';
import { ROOT, read } from '../sources.js';
import { plainEnv } from '../spawn-clean.js';

const execute = promisify(execFile);
const { files } = JSON.parse(read('package.json'));
/** What scripts/build.js reads. */
const BUILT_FROM = ['package.json', 'scripts', 'LICENSE', 'README.md', ...files];

/** a version from a future in which much has changed. */
const FUTURE = {
  'src/daemon/apps/record.js': [
    ['    note: noteOf(app),', '    note: noteOf(app),\n    future: { notes: [1] },'],
  ],
  'src/daemon/apps/app.js': [['return { ...ofUser,', 'return { future: 1, ...ofUser,']],
  'src/primary/reports.js': [['    name: app.name,', '    name: app.name,\n    future: 1,']],
  'src/daemon/control/methods.js': [['  reload: {', "  'replace-all': {"]],
};

/**
 * @param directory that does not exist
 * @param changes of 9.0.0; edits: of sources; kept: of files that a build leaves where they are
 * @returns the path of its command
 */
export async function makeOtherVersion(directory, { kept = {}, ...changes } = {}) {
  const other = { version: '9.0.0', protocol: 9, oldest: 8, edits: {}, ...changes };
  if (PACKAGE === ROOT) writeSources(directory, ['src', 'bin', 'package.json'], other);
  else cpSync(await built(other), directory, { recursive: true });
  for (const [file, replacements] of Object.entries(kept))
    edit(join(directory, file), replacements);
  return join(directory, 'bin', 'nodecluster.js');
}

/** Beside the package under test, once for all processes. In one of its own: the clients of a test go on meanwhile. */
async function built(other) {
  const key = JSON.stringify(other, (_, value) => (value instanceof RegExp ? `${value}` : value));
  const directory = `${PACKAGE}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  if (existsSync(directory)) return directory;
  const sources = mkdtempSync(join(tmpdir(), 'nc-sources-'));
  const own = mkdtempSync(`${directory}-`);
  writeSources(sources, BUILT_FROM, other);
  await execute(process.execPath, [join(sources, 'scripts/build.js'), own], { env: plainEnv() });
  rmSync(sources, { recursive: true });
  chmodSync(own, 0o755);
  // Another process may have been faster.
  attempt(() => renameSync(own, directory), null);
  return directory;
}

function writeSources(directory, names, { version, protocol, oldest, edits }) {
  for (const name of names) cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const numbers = {
    'package.json': [[/"version": ".*"/, `"version": "${version}"`]],
    'src/shared/version.js': [
      [/protocol: \d+/, `protocol: ${protocol}`],
      [/oldest: \d+/, `oldest: ${oldest}`],
    ],
  };
  for (const [file, replacements] of Object.entries({ ...numbers, ...FUTURE, ...edits })) {
    edit(join(directory, file), replacements);
  }
}

function edit(path, replacements) {
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of replacements) {
    const isFound = typeof from === 'string' ? text.includes(from) : from.test(text);
    if (!isFound) throw new Error(`${path} has no ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(path, text);
}
