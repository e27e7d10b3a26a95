/** Moves the apps of a running PM2 to nodecluster, one after the other. */
import { performance } from 'node:perf_hooks';
import { shellLine } from '../../boot/shell.js';
import { resolveApps } from '../../config/resolve/apps.js';
import { NodeclusterError } from '../../errors/error.js';
import { maskLine, maskText } from '../../show/mask.js';
import { paint } from '../../cli/render/palette.js';
import { formatElapsed } from '../../show/quantity.js';
import { renderOutcome } from '../../show/outcome.js';
import { request } from '../../cli/actions/request.js';
import { showWarnings } from '../../cli/actions/specs.js';

/**
 * @import { ConfigDocument } from '../../config/file/document.js'
 * @import { ImportedApp } from '../../config/pm2/ecosystem.js'
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
 * @param {ConfigDocument} document the file that describes them
 * @returns {Promise<boolean>} whether all that ran were moved
 */
export async function moveApps(context, pm2, apps, document) {
  const client = await context.daemons.start();
  const { apps: existing } = await client.request('list', {});
  const names = new Set(existing.map(({ name }) => name));
  let areAllMoved = true;
  for (const app of apps) {
    const reason = await moveApp(context, { pm2, client, app, document, names });
    if (reason === null) continue;
    areAllMoved = false;
    context.note(`${paint(context.stderr).red('✖')} ${maskLine(app.name)}: ${maskText(reason)}`);
  }
  return areAllMoved;
}

/**
 * @typedef {object} Move
 * @property {Pm2} pm2
 * @property {DaemonClient} client
 * @property {ImportedApp} app
 * @property {ConfigDocument} document
 * @property {ReadonlySet<string>} names of the apps that exist here
 */

/** @param {Context} context @param {Move} move @returns {Promise<string|null>} why it was not moved */
async function moveApp(context, move) {
  const { app, pm2, names } = move;
  if (names.has(app.name)) return 'an app of this name exists here. PM2 keeps its own.';
  const spec = readSpec(context, move);
  if (typeof spec === 'string') return `PM2 keeps it: ${spec}`;
  if (!app.isRunning) {
    context.note(stoppedNote(move));
    return null;
  }
  const ids = app.ids.map(String);
  const before = performance.now();
  await pm2.run(['stop', ...ids]);
  const failure = await startHere(context, move, spec);
  const downtime = formatElapsed(performance.now() - before);
  if (failure !== null) {
    await pm2.run(['restart', ...ids]);
    return `it did not start here, so PM2 runs it again. ${failure}`;
  }
  await pm2.run(['delete', ...ids]);
  const mark = paint(context.stderr).green('✔');
  context.note(`${mark} ${maskLine(app.name)}: moved. It was down for at most ${downtime}.`);
  const missing = Object.keys(app.secrets).filter((key) => !(key in spec.env));
  if (missing.length > 0) context.note(missingNote(move, missing));
  return null;
}

/** @param {Move} move @param {string[]} missing */
function missingNote({ document }, missing) {
  return maskLine(
    `  ${document.label} does not have its ${missing.join(', ')}. Set them there in env or env_file: ` +
      'after `delete`, a start from another shell does not have them.',
  );
}

/** @param {Move} move */
function stoppedNote({ app: { name, ids }, document }) {
  const start = shellLine(['nodecluster', 'start', document.label, '--only', name]);
  const move = `${start} && pm2 delete ${ids.join(' ')}`;
  return maskLine(`${name}: stopped in PM2, so it stays there. To move it: ${move}`);
}

/** @param {Context} context @param {Move} move @returns {Spec|string} the reason why there is none */
function readSpec(context, { app, document }) {
  try {
    const shellEnv = { ...context.env, ...app.secrets };
    const { specs, warnings } = resolveApps({ document, only: [app.name], shellEnv });
    showWarnings(context, warnings);
    return specs[0];
  } catch (error) {
    return NodeclusterError.from(error).message;
  }
}

/**
 * Secrets that the file does not have reach the app as if the shell had them.
 * @param {Context} context
 * @param {Move} move
 * @param {Spec} spec
 * @returns {Promise<string|null>} why it does not run; it is deleted then
 */
async function startHere(context, { client, app, document }, spec) {
  const { shellEnv, ...settings } = spec;
  const params = {
    action: /** @type {const} */ ('start'),
    specs: [settings],
    shellEnv,
    file: document.file,
    only: [app.name],
  };
  try {
    const { apps } = await request(context, client, 'apply', params);
    const failed = apps.find(({ ok }) => !ok);
    if (!failed) return null;
    await client.request('delete', { selectors: [app.name] });
    return renderOutcome(failed, paint(context.stderr));
  } catch (error) {
    return NodeclusterError.from(error).message;
  }
}
