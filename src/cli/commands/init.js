import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ecosystemTemplate } from '../../config/init.js';
import { ECOSYSTEM_FILES } from '../../config/file/load.js';
import { readPackageJson } from '../../shared/files/small-file.js';
import { NodeclusterError } from '../../errors/error.js';
import { packageFile } from '../../errors/package-file.js';
import { assertYaml, writeFile } from '../../shared/files/write-file.js';
import { escapeText } from '../../show/escape.js';
import { namesText } from '../../show/quantity.js';
import { writeYaml } from '../../api/write-ecosystem.js';
import { settingsOf } from '../../config/settings-of.js';
import { fetchSpecs } from '../../api/specs.js';
import { homePaths } from '../../shared/home.js';
import { recordedApps } from '../../api/recorded-apps.js';

/**
 * @import { Context } from '../context.js'
 * @import { CommandData, Run } from '../command.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'write an ecosystem.yml for the program here',
  details: 'Without a file, for what npm start runs, or else the main or only program.',
  arguments: [{ name: '[script]', summary: 'the program' }],
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
  const own = runningHere(context);
  if (!fromRunning && own.length === 0) {
    const packageJson = readPackageJson(cwd);
    const text = ecosystemTemplate({ packageJson, directory: cwd, file: program });
    const missing = program ?? fileOfStart(packageJson);
    if (text === null)
      throw new NodeclusterError('E_NO_PROGRAM', { directory: cwd, program: missing });
    await writeFile(file, text, { force, isPrivate: false });
    print(escapeText(`Wrote ${file}.\nCheck it, then type: nodecluster start`));
    context.note(`Every option: ${packageFile('docs/reference/configuration.md')}`);
    return 0;
  }
  await writeFile(file, await describeRunning(context, basename(file), own), {
    force,
    isPrivate: true,
  });
  const isUsual = dirname(file) === cwd && ECOSYSTEM_FILES.includes(basename(file));
  const apply = isUsual ? 'nodecluster apply' : `nodecluster apply ${file}`;
  const what = own.length === 0 ? '' : ` with the settings of ${namesText(own)} as they run here`;
  print(escapeText(`Wrote ${file}${what}.\nType ${apply} after each change.`));
  return 0;
}

/** @param {Record<string, any> | null} packageJson @returns {string | undefined} `srv.js` of `node srv.js` */
function fileOfStart(packageJson) {
  return /^\s*node\s+([^-\s]\S*)/.exec(packageJson?.scripts?.start)?.[1];
}

/** Settings of a template would change them with the next `apply`. @param {Context} context */
function runningHere({ cwd, daemons, options, words }) {
  if (options.fromRunning || words.length > 0) return [];
  const known = recordedApps(homePaths(daemons.home));
  return known.filter((app) => app.cwd === cwd && !app.isStopped).map(({ name }) => name);
}

/** `start` without a file takes the first of the usual names. @param {string} file */
function assertNone(file) {
  const names = ECOSYSTEM_FILES.includes(basename(file)) ? ECOSYSTEM_FILES : [basename(file)];
  const existing = names.map((name) => join(dirname(file), name)).find((path) => existsSync(path));
  if (existing) throw new NodeclusterError('E_FILE_EXISTS', { file: existing });
}

/** @param {Context} context @param {string} name of the file, as the user types it @param {string[]} [own] those of them; none: all */
async function describeRunning(context, name, own = []) {
  const client = await context.openForApps();
  const { apps } = await client.request('list', { selectors: own.length > 0 ? own : ['all'] });
  const namesOf = (/** @type {boolean} */ isStopped) =>
    apps.filter(({ status }) => (status === 'stopped') === isStopped).map((app) => app.name);
  const [running, stopped] = [namesOf(false), namesOf(true)];
  if (running.length === 0)
    throw new NodeclusterError('E_NONE_RUNS', { home: context.daemons.home });
  const specs = await fetchSpecs(client, running);
  return writeYaml(
    specs.map((spec) => ({ settings: settingsOf(withPorts(spec)) })),
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
    'env has what was set explicitly, secrets too, and of the environment of the shell only PORT;',
    '`nodecluster env <app>` shows all of it.',
    ...(stopped.length > 0 ? [`Left out, because they are stopped: ${namesText(stopped)}`] : []),
  ];
}

/** Otherwise every shell that starts it would have to set the variables of its ports. @param {Spec} spec */
function withPorts({ incrementVar, ...spec }) {
  const ports = Object.entries(spec.shellEnv).filter(([name]) =>
    ['PORT', incrementVar].includes(name),
  );
  return { ...spec, incrementVar, env: { ...Object.fromEntries(ports), ...spec.env } };
}
