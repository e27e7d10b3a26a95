import { existsSync, mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { packageFile } from '../../errors/package-file.js';
import { exported, warningText } from './kubernetes.js';
import { loadSpecs } from '../../api/specs.js';
import { fileAmong } from '../../api/selectors.js';
import { orUnwritable, writeFile } from '../../shared/files/write-file.js';
import { parseCount, parsePort } from '../../shared/units.js';
import { fileOptions, jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'write what runs the apps of a file under Kubernetes',
  details:
    'Prints it; --dir writes files. A comment names the setting behind each line, and a ' +
    'warning names what Kubernetes cannot do. Secrets are references, never values.',
  arguments: [
    { name: '<engine>', summary: 'kubernetes' },
    {
      name: '[file]',
      summary: 'an ecosystem file (- for stdin); default: the one in this directory',
    },
  ],
  options: [
    { flags: '--dir <directory>', summary: 'write files to this directory instead of to stdout' },
    { flags: '--force', summary: 'replace files that exist' },
    { flags: '--image <image>', summary: 'image that has the program, Node and nodecluster' },
    { flags: '--replicas <n>', summary: 'number of containers of each app', parse: parseCount },
    {
      flags: '--autoscale <range>',
      summary: 'number of pods of each app with a port, by their CPU: 2..10',
      parse: parseRange,
    },
    {
      flags: '--cpus <n>',
      summary: 'cores of each container (default: one for each worker; with `instances: max` 2)',
      parse: parseCpus,
    },
    {
      flags: '--port <port>',
      summary: 'port of an app whose settings do not name it',
      parse: parsePort,
    },
    {
      flags: '--workdir <directory>',
      summary: 'directory of the program in the image (default: /app)',
      parse: parseAbsolute,
    },
    ...fileOptions,
    jsonOption,
  ],
  examples: [
    'nodecluster export kubernetes --image example.com/shop:1.4 > shop.yaml',
    'nodecluster export kubernetes ecosystem.yml --env production --autoscale 2..10 --dir manifests',
    'nodecluster init --from-running - | nodecluster export kubernetes -',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options, cwd, print } = context;
  const [engine, ...words] = context.words;
  if (engine !== 'kubernetes') {
    const page = packageFile('docs/guides/export.md');
    throw usageError(
      'export',
      `only kubernetes is an engine, not ${engine}: ${page} names files for others`,
    );
  }
  const path = fileAmong(context, words, options);
  if (path === null) throw usageError('export', `${words[0]} is not an ecosystem file`);
  const place = { ...options, runsElsewhere: true };
  const { specs, file, warnings: ofFile } = await loadSpecs(context, path, place);
  context.warn(ofFile);
  const source = file === null ? 'standard input' : basename(file);
  const { files, warnings, text } = exported({ specs, options }, source);
  context.warn(warnings.map(warningText));
  if (options.dir === undefined) {
    print(options.json ? jsonText({ files, warnings }) : text.trimEnd());
    return 0;
  }
  const directory = resolve(cwd, options.dir);
  const written = await writeFiles(directory, files, { force: options.force ?? false });
  if (options.json) print(jsonText({ files: written, warnings }));
  else for (const path of written) print(`Wrote ${escapeLine(path)}`);
  return 0;
}

/**
 * Writes either all files or none.
 * @param {string} directory is created if it does not exist
 * @param {readonly {name: string, text: string}[]} files
 * @param {{force: boolean}} how force: they may exist
 * @returns {Promise<string[]>} their paths
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE
 */
async function writeFiles(directory, files, { force }) {
  const paths = files.map(({ name }) => join(directory, name));
  const existing = force ? undefined : paths.find((path) => existsSync(path));
  if (existing) throw new NodeclusterError('E_FILE_EXISTS', { file: existing });
  await orUnwritable(directory, () => mkdirSync(directory, { recursive: true }));
  for (const [index, { text }] of files.entries()) {
    await writeFile(paths[index], text, { force, isPrivate: false });
  }
  return paths;
}

/** @param {string} text */
function parseRange(text) {
  const [, min, max] = /^([1-9]\d{0,3})\.\.([1-9]\d{0,3})$/.exec(text) ?? [];
  if (Number(max) >= Number(min)) return { min: Number(min), max: Number(max) };
  throw new RangeError('It must be two numbers such as 2..10');
}

/** @param {string} text */
function parseCpus(text) {
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(text) || Number(text) <= 0)
    throw new RangeError('It must be a number of cores such as 2 or 0.5');
  return Number(text);
}

/** @param {string} text */
function parseAbsolute(text) {
  if (!text.startsWith('/')) throw new RangeError('It must be an absolute path');
  return text;
}
