import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownAccount } from '../../shared/processes/account.js';
import { usageError } from '../../errors/error.js';
import { compose } from './compose.js';
import { exported, warningText } from './head.js';
import { haproxy, parseServers } from './haproxy.js';
import { kubernetes } from './kubernetes.js';
import { systemd } from './systemd.js';
import { loadSpecs } from '../../api/specs.js';
import { readTarget } from '../../api/selectors.js';
import { resolveFrom } from '../../shared/files/inspect-path.js';
import { writeFiles } from '../../shared/files/write-file.js';
import { parseCount, parsePort } from '../../shared/units.js';
import { fileOptions, jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { Engine } from './head.js'
 */

const CLI = fileURLToPath(new URL('../../../bin/nodecluster.js', import.meta.url));
/** @type {readonly Engine[]} */
export const engines = [kubernetes, compose, systemd, haproxy];
const ENGINES = engines.map(({ name }) => name);
/** Options of every engine. */
const SHARED = ['dir', 'force', 'only', 'env', 'lenient', 'json', 'silent'];

/** @type {CommandData} */
export const command = {
  summary: 'write what runs the apps of a file under kubernetes, compose, systemd or haproxy',
  details:
    'Prints it; --dir writes files. A comment names the setting behind each line, and a ' +
    'warning names what the engine cannot do. Secrets are references, never values.',
  arguments: [
    { name: '<engine>', summary: ENGINES.join(', ') },
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
    {
      flags: '--servers <list>',
      summary: 'haproxy: addresses of the machines, 10.0.0.11,10.0.0.12',
      parse: parseServers,
    },
    {
      flags: '--agent-port <port>',
      summary: 'haproxy: where `nodecluster agent` listens (default: 9500)',
      parse: parsePort,
    },
    ...fileOptions,
    jsonOption,
  ],
  examples: [
    'nodecluster export kubernetes --image example.com/shop:1.4 > shop.yaml',
    'nodecluster export kubernetes ecosystem.yml --env production --autoscale 2..10 --dir manifests',
    'nodecluster export compose --image example.com/shop:1.4 > compose.yaml',
    'nodecluster export systemd --dir units',
    'nodecluster init --from-running - | nodecluster export compose -',
    'nodecluster export haproxy --servers 10.0.0.11,10.0.0.12 > shop.cfg',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options, cwd, print } = context;
  const [name, ...words] = context.words;
  const engine = findEngine(name, options);
  const target = readTarget({ ...context, words });
  if (target.kind === 'selectors')
    throw usageError('export', `${words[0]} is not an ecosystem file`);
  const place = { ...options, runsElsewhere: true };
  const { specs, file, warnings: ofFile } = await loadSpecs(context, target, place);
  context.warn(ofFile);
  const machine = { user: ownAccount().name, node: process.execPath, cli: CLI };
  const source = file === null ? 'standard input' : basename(file);
  const { files, warnings, text } = exported(engine, { specs, machine, options }, source);
  context.warn(warnings.map(warningText));
  if (options.dir === undefined) {
    print(options.json ? jsonText({ files, warnings }) : text.trimEnd());
    return 0;
  }
  const directory = resolveFrom(cwd, options.dir);
  const written = await writeFiles(directory, files, { force: options.force ?? false });
  if (options.json) print(jsonText({ files: written, warnings }));
  else for (const path of written) print(`Wrote ${escapeLine(path)}`);
  return 0;
}

/** @param {string} name @param {Record<string, any>} options @throws {NodeclusterError} E_USAGE */
function findEngine(name, options) {
  const engine = engines.find((each) => each.name === name);
  if (!engine) {
    throw usageError('export', `${name} is not an engine: choose one of ${ENGINES.join(', ')}`);
  }
  const foreign = Object.keys(options).find((key) => ![...SHARED, ...engine.options].includes(key));
  if (foreign !== undefined) {
    const option = foreign.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw usageError('export', `export ${name} does not have --${option}`);
  }
  if (name === 'haproxy' && options.servers === undefined)
    throw usageError('export', 'export haproxy needs --servers 10.0.0.11,10.0.0.12');
  return engine;
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
