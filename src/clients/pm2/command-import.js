import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { shellLine } from '../../shared/quoting.js';
import { applyFile } from '../../api/replace.js';
import { loadSpecs } from '../../api/specs.js';
import { writeYaml } from '../../api/write-ecosystem.js';
import { ecosystemOf } from './ecosystem.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { assertYaml, writeFile } from '../../shared/files/write-file.js';
import { findPm2, readPm2Processes } from './running-pm2.js';
import { escapeLine, escapeText } from '../../show/escape.js';
import { formatElapsed } from '../../shared/units.js';
import { paint } from '../../show/terminal/palette.js';
import { renderOutcome } from '../../show/outcome.js';

/**
 * @import { ImportedApp } from './ecosystem.js'
 * @import { Pm2 } from './running-pm2.js'
 * @import { Context } from '../../cli/context.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { Spec } from '../../config/spec.js'
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
  const dump = words[0] ? resolve(cwd, words[0]) : null;
  const { processes, source } = await readPm2Processes(pm2, dump);
  const { apps, notes } = ecosystemOf(processes, {
    directory: file && dirname(file),
    pm2Home: pm2.home,
    shellEnv: env,
    withSecrets: options.withSecrets,
  });
  if (apps.length === 0)
    throw new NodeclusterError('E_PM2_NOT_FOUND', { reason: `${source} has no apps` });
  for (const line of notes) note(escapeLine(line));
  const text = textOf(apps, source);
  if (file === null) {
    print(text.trimEnd());
    return exitCodes.ok;
  }
  const label = relative(cwd, file);
  if (!options.switch) {
    await writeFile(file, text, { force, isPrivate: true });
    return describeFile(context, apps, label, pm2.isRunning && dump === null);
  }
  if (force || !existsSync(file)) await writeFile(file, text, { force, isPrivate: true });
  else note(`Using ${escapeLine(label)} as it is.`);
  return switchApps(context, pm2, apps, label);
}

/** @param {Context} context @returns {string|null} null: stdout */
function outputOf({ cwd, options: { output = 'ecosystem.yml' } }) {
  if (output === '-') return null;
  assertYaml(output, 'import');
  return resolve(cwd, output);
}

/** @param {string[]} words @param {string|null} file @param {boolean} isRunning @throws {NodeclusterError} E_USAGE */
function assertSwitchable(words, file, isRunning) {
  const problem =
    (words.length > 0 && '--switch moves what PM2 runs, and a dump does not run') ||
    (file === null && '--switch needs a file, not stdout') ||
    (!isRunning && '--switch needs a running PM2, with pm2 in PATH');
  if (problem) throw usageError('import', problem);
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

/** @param {Context} context @param {ImportedApp[]} apps @param {string} label @param {boolean} canSwitch */
async function describeFile(context, apps, label, canSwitch) {
  const { note, print } = context;
  const withSecrets = apps.filter(({ secrets }) => Object.keys(secrets).length > 0);
  const names = withSecrets.map(({ name }) => name).join(', ');
  if (names) note(`Secrets were not copied, and ${label} names them: ${escapeLine(names)}.`);
  try {
    await loadSpecs(context, label, {});
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

/** @param {Context} context @param {Pm2} pm2 @param {ImportedApp[]} apps @param {string} label */
async function switchApps(context, pm2, apps, label) {
  const { note } = context;
  note(
    'PM2 holds the ports of an app until it stops it. From then until it listens here, clients are refused or get no answer.',
  );
  const client = await context.daemons.start();
  const { apps: existing } = await client.request('list', {});
  const names = new Set(existing.map(({ name }) => name));
  let areAllMoved = true;
  for (const app of apps) {
    const reason = await moveApp(context, { pm2, app, file: label, names });
    if (reason === null) continue;
    areAllMoved = false;
    note(`${paint(context.stderr).red('✖')} ${escapeLine(app.name)}: ${escapeText(reason)}`);
  }
  const left = (await readPm2Processes(pm2, null)).processes.map(({ name }) => name);
  note(
    left.length > 0
      ? `PM2 still has ${escapeLine([...new Set(left)].join(', '))}.`
      : 'PM2 has no apps left: `pm2 save --force` keeps it from starting them at boot, `pm2 kill` ends it.',
  );
  await context.runCommand('ls', {});
  return areAllMoved ? exitCodes.ok : exitCodes.appFailed;
}

/** @typedef {{pm2: Pm2, app: ImportedApp, file: string, names: ReadonlySet<string>}} Move names: of the apps that exist here */

/** @param {Context} context @param {Move} move @returns {Promise<string|null>} why it was not moved */
async function moveApp(context, move) {
  const { app, pm2, names } = move;
  if (names.has(app.name)) return 'an app of this name exists here. PM2 keeps its own.';
  const found = await readSpec(context, move);
  if (typeof found === 'string') return `PM2 keeps it: ${found}`;
  const ids = app.ids.map(String);
  if (!app.isRunning) {
    const start = shellLine(['nodecluster', 'start', move.file, '--only', app.name]);
    const text = `${app.name}: stopped in PM2, so it stays there. To move it: ${start} && pm2 delete ${ids.join(' ')}`;
    context.note(escapeLine(text));
    return null;
  }
  const before = performance.now();
  await pm2.run(['stop', ...ids]);
  const failure = await startHere(context, move);
  const downtime = formatElapsed(performance.now() - before);
  if (failure !== null) {
    await pm2.run(['restart', ...ids]);
    return `it did not start here, so PM2 runs it again. ${failure}`;
  }
  await pm2.run(['delete', ...ids]);
  const mark = paint(context.stderr).green('✔');
  context.note(`${mark} ${escapeLine(app.name)}: moved. It was down for at most ${downtime}.`);
  const missing = Object.keys(app.secrets).filter((key) => !(key in found.env));
  if (missing.length > 0) {
    const what = `  ${move.file} does not have its ${missing.join(', ')}. Set them there in env or env_file: `;
    context.note(
      escapeLine(`${what}after \`delete\`, a start from another shell does not have them.`),
    );
  }
  return null;
}

/** Who starts it: secrets that the file does not have reach the app as if the shell had them. @param {Context} context @param {Move} move */
const callerOf = (context, { app }) => ({ ...context, env: { ...context.env, ...app.secrets } });

/** @param {Context} context @param {Move} move @returns {Promise<Spec | string>} the reason why there is none */
async function readSpec(context, move) {
  try {
    const only = [move.app.name];
    const { specs, warnings } = await loadSpecs(callerOf(context, move), move.file, { only });
    context.warn(warnings);
    return specs[0];
  } catch (error) {
    return NodeclusterError.from(error).message;
  }
}

/** @param {Context} context @param {Move} move @returns {Promise<string|null>} why it does not run; it is deleted then */
async function startHere(context, move) {
  const caller = { ...callerOf(context, move), warn() {} };
  const only = [move.app.name];
  try {
    const { apps } = await applyFile(caller, move.file, { action: 'start', settings: {}, only });
    const failed = apps.find(({ ok }) => !ok);
    if (!failed) return null;
    await (await context.daemons.start()).request('delete', { selectors: only });
    return renderOutcome(failed, paint(context.stderr));
  } catch (error) {
    return NodeclusterError.from(error).message;
  }
}
