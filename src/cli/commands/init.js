import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ecosystemTemplate } from '../../config/init.js';
import { ECOSYSTEM_FILES } from '../../config/file/load.js';
import { readPackageJson } from '../../shared/files/small-file.js';
import { NodeclusterError } from '../../errors/error.js';
import { assertYaml, writeFile } from '../../shared/files/write-file.js';
import { escapeLine } from '../../show/escape.js';
import { namesText } from '../../show/quantity.js';
import { writeYaml } from '../../api/write-ecosystem.js';
import { settingsOf } from '../../config/settings-of.js';
import { fetchSpecs } from '../../api/specs.js';

/**
 * @import { Context } from '../context.js'
 * @import { CommandData, Run } from '../command.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'write an ecosystem.yml for the program here',
  details: 'Without a file, for what npm start runs, or else the main or only program.',
  arguments: [{ name: '[file]', summary: 'the program' }],
  options: [
    {
      flags: '--from-running [file]',
      summary: 'write the settings of the apps that run (default: ecosystem.yml; - for stdout)',
    },
    { flags: '--force', summary: 'replace a file that exists' },
  ],
  examples: [
    'nodecluster init && nodecluster start',
    'nodecluster init server.js',
    'nodecluster init --from-running',
    'nodecluster init --from-running /srv/apps.yml',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { cwd, options, print, words } = context;
  const [program] = words;
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
    : ecosystemTemplate({ packageJson: readPackageJson(cwd), directory: cwd, file: program });
  if (text === null) throw new NodeclusterError('E_NO_PROGRAM', { directory: cwd, program });
  await writeFile(file, text, { force, isPrivate: Boolean(fromRunning) });
  const isUsual = dirname(file) === cwd && ECOSYSTEM_FILES.includes(basename(file));
  const apply = escapeLine(isUsual ? 'nodecluster apply' : `nodecluster apply ${file}`);
  const next = fromRunning
    ? `Type ${apply} after each change.`
    : 'Check it, then type: nodecluster start\nIf the app runs already: nodecluster apply';
  print(`Wrote ${escapeLine(file)}.\n${next}`);
  return 0;
}

/** `start` without a file takes the first of the usual names. @param {string} file */
function assertNone(file) {
  const names = ECOSYSTEM_FILES.includes(basename(file)) ? ECOSYSTEM_FILES : [basename(file)];
  const existing = names.map((name) => join(dirname(file), name)).find((path) => existsSync(path));
  if (existing) throw new NodeclusterError('E_FILE_EXISTS', { file: existing });
}

/** @param {Context} context @param {string} name of the file, as the user types it */
async function describeRunning(context, name) {
  const client = await context.openForApps();
  const { apps } = await client.request('list', {});
  const namesOf = (/** @type {boolean} */ isStopped) =>
    apps.filter(({ status }) => (status === 'stopped') === isStopped).map((app) => app.name);
  const [running, stopped] = [namesOf(false), namesOf(true)];
  if (running.length === 0)
    throw new NodeclusterError('E_NONE_RUNS', { home: context.daemons.home });
  const specs = await fetchSpecs(client, running);
  return writeYaml(
    specs.map((spec) => ({ settings: settingsOf(withCounter(spec)) })),
    headOf(name, stopped),
  );
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
    ...(stopped.length > 0 ? [`Left out, because they are stopped: ${namesText(stopped)}`] : []),
  ];
}

/** Otherwise every shell that starts it would have to set the variable. @param {Spec} spec */
function withCounter(spec) {
  const { incrementVar: name, env, shellEnv } = spec;
  return name === null ? spec : { ...spec, env: { [name]: shellEnv[name], ...env } };
}
