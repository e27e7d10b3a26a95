import { basename } from 'node:path';
import { usageError } from '../../errors/error.js';
import { packageFile } from '../../errors/package-file.js';
import { exported } from './kubernetes.js';
import { loadSpecs } from '../../api/specs.js';
import { fileAmong } from '../../api/selectors.js';
import { parseCount, parsePort } from '../../shared/units.js';
import { fileOptions } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'write what runs the apps of a file under Kubernetes',
  details:
    'A comment names the setting behind each line, and a warning names what Kubernetes cannot do. ' +
    'Secrets are references, never values.',
  arguments: [
    { name: '<engine>', summary: 'kubernetes' },
    {
      name: '[file]',
      summary: 'an ecosystem file (- for stdin); default: the one in this directory',
    },
  ],
  options: [
    { flags: '--image <image>', summary: 'image that has the program, Node and nodecluster' },
    { flags: '--replicas <n>', summary: 'number of containers of each app', parse: parseCount },
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
  ],
  examples: [
    'nodecluster export kubernetes --image example.com/shop:1.4 > shop.yaml',
    'nodecluster export kubernetes ecosystem.yml --env production > shop.yaml',
    'nodecluster init --from-running - | nodecluster export kubernetes -',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options, print } = context;
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
  const { warnings, text } = exported({ specs, options }, source);
  context.warn(warnings);
  print(text.trimEnd());
  return 0;
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
