/** Moves the apps of a running PM2 to nodecluster, one after the other. */
import { performance } from 'node:perf_hooks';
import { shellLine } from '../../shared/quoting.js';
import { formatElapsed } from '../../shared/units.js';
import { loadSpecs } from '../../api/load-specs.js';
import { NodeclusterError } from '../../errors/error.js';
import { escapeLine, escapeText } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { renderOutcome } from '../../show/outcome.js';

/**
 * @import { ImportedApp } from './ecosystem.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Context } from '../../cli/context.js'
 * @import { Pm2 } from './running-pm2.js'
 */

/**
 * PM2 holds the ports of an app until it stops it, so the app is down from then until it is online here.
 * @param {Context} context
 * @param {Pm2} pm2
 * @param {ImportedApp[]} apps
 * @param {string} file that describes them
 * @returns {Promise<boolean>} whether all that ran were moved
 */
export async function moveApps(context, pm2, apps, file) {
  const client = await context.daemons.start();
  const { apps: existing } = await client.request('list', {});
  const names = new Set(existing.map(({ name }) => name));
  let areAllMoved = true;
  for (const app of apps) {
    const reason = await moveApp(context, { pm2, client, app, file, names });
    if (reason === null) continue;
    areAllMoved = false;
    context.note(
      `${paint(context.stderr).red('✖')} ${escapeLine(app.name)}: ${escapeText(reason)}`,
    );
  }
  return areAllMoved;
}

/**
 * @typedef {object} Move
 * @property {Pm2} pm2
 * @property {DaemonClient} client
 * @property {ImportedApp} app
 * @property {string} file
 * @property {ReadonlySet<string>} names of the apps that exist here
 */

/** @param {Context} context @param {Move} move @returns {Promise<string|null>} why it was not moved */
async function moveApp(context, move) {
  const { app, pm2, names } = move;
  if (names.has(app.name)) return 'an app of this name exists here. PM2 keeps its own.';
  const found = await readSpec(context, move);
  if (typeof found === 'string') return `PM2 keeps it: ${found}`;
  if (!app.isRunning) {
    context.note(stoppedNote(move));
    return null;
  }
  const ids = app.ids.map(String);
  const before = performance.now();
  await pm2.run(['stop', ...ids]);
  const failure = await startHere(context, move, found);
  const downtime = formatElapsed(performance.now() - before);
  if (failure !== null) {
    await pm2.run(['restart', ...ids]);
    return `it did not start here, so PM2 runs it again. ${failure}`;
  }
  await pm2.run(['delete', ...ids]);
  const mark = paint(context.stderr).green('✔');
  context.note(`${mark} ${escapeLine(app.name)}: moved. It was down for at most ${downtime}.`);
  const missing = Object.keys(app.secrets).filter((key) => !(key in found.spec.env));
  if (missing.length > 0) context.note(missingNote(move, missing));
  return null;
}

/** @param {Move} move @param {string[]} missing */
function missingNote({ file }, missing) {
  return escapeLine(
    `  ${file} does not have its ${missing.join(', ')}. Set them there in env or env_file: ` +
      'after `delete`, a start from another shell does not have them.',
  );
}

/** @param {Move} move */
function stoppedNote({ app: { name, ids }, file }) {
  const start = shellLine(['nodecluster', 'start', file, '--only', name]);
  const move = `${start} && pm2 delete ${ids.join(' ')}`;
  return escapeLine(`${name}: stopped in PM2, so it stays there. To move it: ${move}`);
}

/**
 * @param {Context} context
 * @param {Move} move
 * @returns {Promise<{spec: Spec, file: string | null} | string>} the reason why there is none
 */
async function readSpec(context, { app, file: label }) {
  try {
    const place = { ...context, env: { ...context.env, ...app.secrets } };
    const options = { only: [app.name] };
    const { specs, file, warnings } = await loadSpecs(
      place,
      { kind: 'file', file: label },
      options,
    );
    context.warn(warnings);
    return { spec: specs[0], file };
  } catch (error) {
    return NodeclusterError.from(error).message;
  }
}

/**
 * Secrets that the file does not have reach the app as if the shell had them.
 * @param {Context} context
 * @param {Move} move
 * @param {{spec: Spec, file: string | null}} found
 * @returns {Promise<string|null>} why it does not run; it is deleted then
 */
async function startHere(context, { client, app }, { spec, file }) {
  const { shellEnv, ...settings } = spec;
  const params = {
    action: /** @type {const} */ ('start'),
    specs: [settings],
    shellEnv,
    file,
    only: [app.name],
  };
  try {
    const { apps } = await context.request(client, 'apply', params);
    const failed = apps.find(({ ok }) => !ok);
    if (!failed) return null;
    await client.request('delete', { selectors: [app.name] });
    return renderOutcome(failed, paint(context.stderr));
  } catch (error) {
    return NodeclusterError.from(error).message;
  }
}
