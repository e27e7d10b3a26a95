/** `init --from-running` and `save <file>`: an ecosystem file from the apps that run. */
import { writeYaml } from '../../api/write-ecosystem.js';
import { settingsOf } from '../../config/settings-of.js';
import { fetchSpecs } from '../../api/running-specs.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 */

/** What a shell and a terminal set for themselves. */
const OF_THE_SHELL =
  /^(_|SHLVL|PWD|OLDPWD|TERM.*|COLORTERM|COLUMNS|LINES|WINDOWID|SSH_.*|XDG_.*|DBUS_.*|npm_.*|INIT_CWD|NODECLUSTER_.*)$/;

/**
 * @param {Context} context
 * @param {string} name of the file, as the user types it
 * @returns {Promise<string>} YAML with comments
 * @throws {NodeclusterError} E_NO_APPS, E_NONE_RUNS
 */
export async function describeRunning(context, name) {
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
 * @returns {Spec}
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
