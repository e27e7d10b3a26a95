/** `init` and `save` write an ecosystem file, `schema` says what may be in one. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ecosystemTemplate } from '../../config/init.js';
import { ECOSYSTEM_FILES } from '../../config/file/load.js';
import { readPackageJson } from '../../shared/files/small-file.js';
import { NodeclusterError } from '../../errors/error.js';
import { assertYaml, writeFile } from '../../shared/files/write-file.js';
import { maskLine, jsonText } from '../../show/mask.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonSchema } from '../../config/schema.js';
import { writeYaml } from '../../api/write-ecosystem.js';
import { settingsOf } from '../../config/settings-of.js';
import { fetchSpecs } from '../../api/running-specs.js';

/**
 * @import { Context } from '../context.js'
 * @import { CommandModule } from '../command.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../../protocol/shapes.js'
 */

/** @type {CommandModule} */
export const init = {
  command: {
    summary: 'write a commented ecosystem.yml for the program in this directory',
    arguments: [],
    options: [
      {
        flags: '--from-running [file]',
        summary: 'write the settings of the apps that run (default: ecosystem.yml; - for stdout)',
      },
      { flags: '--force', summary: 'replace a file that exists' },
    ],
    examples: [
      'nodecluster init && nodecluster start',
      'nodecluster init --from-running',
      'nodecluster init --from-running /srv/apps.yml',
    ],
  },
  async run(context) {
    const { cwd, options, print } = context;
    const { fromRunning, force = false } = options;
    if (fromRunning === '-') {
      print((await describeRunning(context, 'ecosystem.yml')).trimEnd());
      return 0;
    }
    const file = resolve(cwd, typeof fromRunning === 'string' ? fromRunning : ECOSYSTEM_FILES[0]);
    assertYaml(file, 'init');
    if (!force) assertNone(file);
    const text = fromRunning
      ? await describeRunning(context, basename(file))
      : templateFor(context);
    await writeFile(file, text, { force, isPrivate: Boolean(fromRunning) });
    const isUsual = dirname(file) === cwd && ECOSYSTEM_FILES.includes(basename(file));
    const start = isUsual ? 'nodecluster start' : `nodecluster start ${file}`;
    print(`Wrote ${maskLine(file)}. Check it, then run: ${maskLine(start)}`);
    return 0;
  },
};

/**
 * `start` without a file takes the first of the usual names, so one of them is enough.
 * @param {string} file
 * @throws {NodeclusterError} E_FILE_EXISTS
 */
function assertNone(file) {
  const names = ECOSYSTEM_FILES.includes(basename(file)) ? ECOSYSTEM_FILES : [basename(file)];
  const existing = names.map((name) => join(dirname(file), name)).find((path) => existsSync(path));
  if (existing) throw new NodeclusterError('E_FILE_EXISTS', { file: existing });
}

/** @param {Context} context @throws {NodeclusterError} E_INIT_NOTHING */
function templateFor({ cwd }) {
  const text = ecosystemTemplate({ packageJson: readPackageJson(cwd), directory: cwd });
  if (text === null) throw new NodeclusterError('E_INIT_NOTHING', { directory: cwd });
  return text;
}

/** @type {CommandModule} */
export const save = {
  command: {
    summary: 'check that everything is saved, or write the ecosystem file of what runs',
    details:
      'Every change is saved when its command ends, so nothing has to be saved by hand: apps that run ' +
      'start again after a reboot, and apps that are stopped stay stopped.',
    arguments: [
      { name: '[file]', summary: 'ecosystem file to write, as `init --from-running` does' },
    ],
    options: [{ flags: '-f, --force', summary: 'replace a file that exists' }, jsonOption],
    examples: ['nodecluster save', 'nodecluster save ecosystem.yml'],
  },
  async run(context) {
    const { words, daemons, options, print } = context;
    if (words.length > 0) return writeRunning(context, words[0]);
    const client = await daemons.open();
    const { apps } = client ? await context.request(client, 'save', {}) : { apps: [] };
    print(options.json ? jsonText({ apps }) : maskLine(sentenceOf(apps)));
    return exitCodes.ok;
  },
};

/** @param {string[]} apps */
function sentenceOf(apps) {
  if (apps.length === 0) return 'Nothing to save: there are no apps.';
  return `Saved, as after every change: ${apps.join(', ')}.`;
}

/** @param {Context} context @param {string} name */
async function writeRunning(context, name) {
  const { cwd, options, print } = context;
  const { force = false } = options;
  assertYaml(name, 'save');
  const file = resolve(cwd, name);
  const text = await describeRunning(context, basename(file));
  await writeFile(file, text, { force, isPrivate: true });
  const sentence = `Wrote ${maskLine(file)}. Start it with: ${maskLine(`nodecluster start ${name}`)}`;
  print(options.json ? jsonText({ file }) : sentence);
  return exitCodes.ok;
}

/** @type {CommandModule} */
export const schema = {
  command: {
    summary: 'print the JSON Schema of ecosystem files',
    arguments: [],
    options: [],
    examples: ['nodecluster schema > ecosystem.schema.json'],
  },
  async run({ print }) {
    print(jsonText(jsonSchema()));
    return 0;
  },
};

/** What a shell and a terminal set for themselves. */
const OF_THE_SHELL =
  /^(_|SHLVL|PWD|OLDPWD|TERM.*|COLORTERM|COLUMNS|LINES|WINDOWID|SSH_.*|XDG_.*|DBUS_.*|npm_.*|INIT_CWD|NODECLUSTER_.*)$/;

/**
 * @param {Context} context
 * @param {string} name of the file, as the user types it
 * @returns {Promise<string>} YAML with comments
 * @throws {NodeclusterError} E_NO_APPS, E_NONE_RUNS
 */
async function describeRunning(context, name) {
  const client = await context.openForApps();
  const { apps } = await client.request('list', {});
  const running = apps.filter(({ status }) => status !== 'stopped');
  if (running.length === 0)
    throw new NodeclusterError('E_NONE_RUNS', { home: context.daemons.home });
  const specs = await fetchSpecs(
    client,
    running.map((app) => app.name),
  );
  const written = specs.map((spec, index) => ({
    settings: settingsOf(withCounter(spec)),
    remarks: remarksOf(spec, running[index], context.env),
  }));
  const stopped = apps.filter((app) => !running.includes(app)).map((app) => app.name);
  return writeYaml(written, headOf(name, stopped));
}

/** @param {string} name @param {string[]} stopped */
function headOf(name, stopped) {
  return [
    'Written by nodecluster from what runs.',
    `Start:          nodecluster start ${name}`,
    `New version:    nodecluster reload ${name}`,
    `New settings:   nodecluster apply ${name}`,
    'env has what was set explicitly, secrets too. The environment of the shell is not included;',
    '`nodecluster env <app>` shows it.',
    ...(stopped.length > 0 ? [`Left out, because they are stopped: ${stopped.join(', ')}`] : []),
  ];
}

/**
 * Without it in the file, the variable would have to be set in every shell that starts it.
 * @param {Spec} spec
 */
function withCounter(spec) {
  const { incrementVar, env, shellEnv } = spec;
  if (incrementVar === null || !(incrementVar in shellEnv)) return spec;
  return { ...spec, env: { ...env, [incrementVar]: shellEnv[incrementVar] } };
}

/**
 * @param {Spec} spec
 * @param {App} app
 * @param {Record<string, string | undefined>} env of this shell
 */
function remarksOf({ shellEnv, incrementVar }, { workers }, env) {
  const names = Object.keys(shellEnv).filter(
    (name) => shellEnv[name] !== env[name] && name !== incrementVar && !OF_THE_SHELL.test(name),
  );
  const stopped = workers.filter(({ status }) => status === 'stopped').map(({ slot }) => slot);
  return [
    ...(names.length > 0
      ? [`The shell that started it had other values of: ${names.join(', ')}`]
      : []),
    ...(stopped.length > 0
      ? [`A file cannot say that single workers are stopped: ${stopped.join(', ')}`]
      : []),
  ];
}
