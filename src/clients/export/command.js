import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchSpecs } from '../../api/running-specs.js';
import { ownAccount } from '../../shared/processes/account.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { engines } from './engines.js';
import { parseServers } from './haproxy.js';
import { loadSpecs } from '../../api/load-specs.js';
import { readTarget } from '../../api/selectors.js';
import { writeFiles } from '../../shared/files/write-file.js';
import { parseCount, parsePort } from '../../shared/units.js';
import { fileOptions, jsonOption } from '../../show/command-options.js';
import { jsonText, maskLine } from '../../show/mask.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Engine } from './engines.js'
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Context } from '../../cli/context.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 */

const CLI = fileURLToPath(new URL('../../../bin/nodecluster.js', import.meta.url));
const ENGINES = engines.map(({ name }) => name);
/** Options of every engine. */
const SHARED = ['dir', 'force', 'fromRunning', 'only', 'env', 'lenient', 'json', 'silent'];

/** @type {CommandData} */
export const command = {
  summary: 'write the configuration with which another engine runs the apps of a file',
  details:
    'Prints it; --dir writes files. A comment names the setting behind each line, and a ' +
    'warning names what the engine cannot do. Secrets are references, never values.',
  arguments: [
    { name: '<engine>', summary: ENGINES.join(', ') },
    {
      name: '[file]',
      summary:
        'an ecosystem file (- for stdin); default: the one in this directory, else the apps that the daemon has',
    },
  ],
  options: [
    { flags: '--dir <directory>', summary: 'write files to this directory instead of to stdout' },
    { flags: '--force', summary: 'replace files that exist' },
    { flags: '--from-running', summary: 'export the apps that the daemon has, not a file' },
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
      summary: 'where the image has it (default: /app)',
      parse: parseAbsolute,
    },
    {
      flags: '--servers <list>',
      summary: 'haproxy: addresses of the machines, 10.0.0.11,10.0.0.12 or with another port each',
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
    'nodecluster export haproxy --servers 10.0.0.11,10.0.0.12 > shop.cfg',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, cwd, print } = context;
  const engine = findEngine(words[0], options);
  const { specs, file } = await loadApps({ ...context, words: words.slice(1) });
  const { files, warnings } = engine.write({
    specs,
    machine: { user: ownAccount().name, node: process.execPath, cli: CLI },
    source: file === null ? 'the apps that run' : basename(file),
    options,
  });
  context.warn(warnings.map(({ app, text }) => (app === null ? text : `${app}: ${text}`)));
  if (options.dir === undefined) {
    print(options.json ? jsonText({ files, warnings }) : engine.join(files).trimEnd());
    return 0;
  }
  const directory = resolve(cwd, options.dir);
  const written = await writeFiles(directory, files, { force: options.force ?? false });
  if (options.json) print(jsonText({ files: written, warnings }));
  else for (const path of written) print(`Wrote ${maskLine(path)}`);
  return 0;
}

/**
 * @param {string} name
 * @param {Record<string, any>} options
 * @throws {NodeclusterError} E_USAGE
 */
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
  return engine;
}

/**
 * @param {Context} context with the words after the engine
 * @returns {Promise<{specs: readonly Spec[], file: string | null}>} file: its absolute path
 * @throws {NodeclusterError} E_USAGE, E_NOTHING_NAMED, and the errors of ecosystem files
 */
async function loadApps(context) {
  const { words, options, daemons } = context;
  if (options.fromRunning) return runningApps(context, await context.openForApps());
  const target = readTarget(context);
  if (target.kind === 'selectors')
    throw usageError('export', `${words[0]} is not an ecosystem file`);
  try {
    const place = { ...options, runsElsewhere: true };
    const { specs, file, warnings } = await loadSpecs(context, target, place);
    context.warn(warnings);
    return { specs, file };
  } catch (error) {
    const isNone = NodeclusterError.from(error).code === 'E_NOTHING_NAMED';
    const client = isNone ? await daemons.open() : null;
    if (client === null) throw error;
    return runningApps(context, client);
  }
}

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @throws {NodeclusterError} E_USAGE, E_OPTION_NEEDS_FILE, E_NO_APPS
 */
async function runningApps({ words, options, daemons, command: name }, client) {
  if (words.length > 0) {
    throw usageError(
      'export',
      `--from-running exports the apps of the daemon, and ${words[0]} is a file`,
    );
  }
  if (options.env !== undefined) {
    throw new NodeclusterError('E_OPTION_NEEDS_FILE', { option: '--env', command: name });
  }
  const specs = await fetchSpecs(client, options.only ?? ['all']);
  if (specs.length === 0) throw new NodeclusterError('E_NO_APPS', { home: daemons.home });
  return { specs, file: null };
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
