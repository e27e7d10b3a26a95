import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { shellLine } from '../../shared/quoting.js';
import { loadSpecs } from '../../api/load-specs.js';
import { writeYaml } from '../../api/write-ecosystem.js';
import { ecosystemOf } from './ecosystem.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { assertYaml, writeFile } from '../../shared/files/write-file.js';
import { moveApps } from './move-apps.js';
import { findPm2, readPm2Processes } from './running-pm2.js';
import { escapeLine, escapeText } from '../../show/escape.js';

/**
 * @import { Imported, ImportedApp } from './ecosystem.js'
 * @import { Pm2Process } from './running-pm2.js'
 * @import { Context } from '../../cli/context.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'write an ecosystem file for the apps of PM2, and move them here',
  details:
    'Reads what PM2 runs (`pm2 jlist`), or its dump. Variables that this shell has too are left out of ' +
    'the file, and secrets only go into it with --with-secrets. With --switch each app is stopped in ' +
    'PM2, started here and then deleted there; one that does not start here runs in PM2 again. A file ' +
    'that exists is then used as it is.',
  arguments: [{ name: '[dump]', summary: 'a dump.pm2; default: the PM2 that runs, or its dump' }],
  options: [
    { flags: '--output <file>', summary: 'file to write (default: ecosystem.yml; - for stdout)' },
    { flags: '--force', summary: 'replace a file that exists' },
    { flags: '--with-secrets', summary: 'copy passwords, keys and tokens into the file too' },
    { flags: '--switch', summary: 'move the apps here, one after the other' },
  ],
  examples: [
    'nodecluster import --output -',
    'nodecluster import && nodecluster import --switch',
    'nodecluster import ~/.pm2/dump.pm2 --with-secrets',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, cwd, env, note, print } = context;
  const pm2 = findPm2(env);
  const { force = false } = options;
  const file = outputOf(context);
  if (options.switch) assertSwitchable(words, file, pm2.isRunning);
  const { processes, source } = await readPm2Processes(
    pm2,
    words[0] ? resolve(cwd, words[0]) : null,
  );
  const imported = importFrom(context, processes, file, pm2.home);
  if (imported.apps.length === 0) throw new NodeclusterError('E_PM2_EMPTY', { source });
  for (const line of imported.notes) note(escapeLine(line));
  const text = textOf(imported.apps, source);
  if (file === null) {
    print(text.trimEnd());
    return exitCodes.ok;
  }
  const label = relative(cwd, file);
  if (!options.switch) {
    await writeFile(file, text, { force, isPrivate: true });
    return describeFile(context, imported, label, pm2.isRunning && !words[0]);
  }
  if (force || !existsSync(file)) await writeFile(file, text, { force, isPrivate: true });
  else note(`Using ${escapeLine(label)} as it is.`);
  return switchApps(context, pm2, imported, label);
}

/** @param {Context} context @returns {string|null} null: stdout */
function outputOf({ cwd, options: { output = 'ecosystem.yml' } }) {
  if (output === '-') return null;
  assertYaml(output, 'import');
  return resolve(cwd, output);
}

/**
 * @param {Context} context
 * @param {Pm2Process[]} processes
 * @param {string|null} file
 * @param {string} pm2Home
 */
function importFrom({ env, options }, processes, file, pm2Home) {
  const directory = file && dirname(file);
  const withSecrets = options.withSecrets ?? false;
  return ecosystemOf(processes, { directory, pm2Home, shellEnv: env, withSecrets });
}

/**
 * @param {string[]} words
 * @param {string|null} file
 * @param {boolean} isRunning
 * @throws {NodeclusterError} E_USAGE
 */
function assertSwitchable(words, file, isRunning) {
  const problems = [
    { applies: words.length > 0, detail: '--switch moves what PM2 runs, and a dump does not run' },
    { applies: file === null, detail: '--switch needs a file, not stdout' },
    { applies: !isRunning, detail: '--switch needs a running PM2, with pm2 in PATH' },
  ];
  const problem = problems.find(({ applies }) => applies);
  if (problem) throw usageError('import', problem.detail);
}

/** @param {ImportedApp[]} apps @param {string} source */
function textOf(apps, source) {
  const written = apps.map(({ settings, secrets }) => ({
    settings,
    remarks: Object.keys(secrets).map((name) => `Secret, to be set in env or env_file: ${name}`),
  }));
  return writeYaml(written, [
    `Made from ${source} by nodecluster import.`,
    'In cluster mode (without `exec_mode: fork`) a Node app is reloaded without downtime.',
  ]);
}

/**
 * @param {Context} context
 * @param {Imported} imported
 * @param {string} label
 * @param {boolean} canSwitch
 */
async function describeFile(context, { apps }, label, canSwitch) {
  const { note, print } = context;
  const withSecrets = apps.filter(({ secrets }) => Object.keys(secrets).length > 0);
  const names = withSecrets.map(({ name }) => name).join(', ');
  if (names) note(`Secrets were not copied, and ${label} names them: ${escapeLine(names)}.`);
  try {
    await loadSpecs(context, { kind: 'file', file: label }, {});
  } catch (error) {
    note(escapeText(NodeclusterError.from(error).message));
  }
  const next = canSwitch
    ? 'move the apps with: nodecluster import --switch'
    : `start the apps with: ${shellLine(['nodecluster', 'start', label])}`;
  const written = apps.map(({ name }) => name).join(', ');
  print(`Wrote ${escapeLine(label)}: ${written}. Check it, then ${escapeLine(next)}`);
  return exitCodes.ok;
}

/**
 * @param {Context} context
 * @param {ReturnType<typeof findPm2>} pm2
 * @param {Imported} imported
 * @param {string} label
 */
async function switchApps(context, pm2, { apps }, label) {
  const { note } = context;
  note(
    'PM2 holds the ports of an app until it stops it. From then until it listens here, clients are refused or get no answer.',
  );
  const areAllMoved = await moveApps(context, pm2, apps, label);
  const left = (await readPm2Processes(pm2, null)).processes.map(({ name }) => name);
  note(
    left.length > 0
      ? `PM2 still has ${escapeLine([...new Set(left)].join(', '))}.`
      : 'PM2 has no apps left: `pm2 save --force` keeps it from starting them at boot, `pm2 kill` ends it.',
  );
  await context.runCommand('ls', {});
  return areAllMoved ? exitCodes.ok : exitCodes.appFailed;
}
