/** `stop` and `delete`: on selectors, or on the apps of an ecosystem file. */
import { NodeclusterError } from '../../errors/error.js';
import { ask, conclude } from './ask.js';
import { commandApps, openForApps, refuseFileOptions } from './on-apps.js';
import { targetOf } from './targets.js';
import { wantedFromFile } from './wanted.js';

/** @import { Context } from '../context.js' */

/**
 * @param {Context} context
 * @param {'stop' | 'delete'} method
 * @returns {Promise<number>} the exit code
 */
export async function endApps(context, method) {
  const target = targetOf(context.words, context.command);
  if (target.kind === 'selectors') {
    refuseFileOptions(context);
    return commandApps(context, method, { selectors: target.selectors });
  }
  const { specs, file } = await wantedFromFile(context, target);
  const client = await openForApps(context);
  const { apps } = await client.request('list', {});
  const known = new Set(apps.map((/** @type {{name: string}} */ { name }) => name));
  const selectors = specs.map((spec) => spec.name).filter((name) => known.has(name));
  if (selectors.length === 0) {
    const { command, daemons } = context;
    throw new NodeclusterError('E_NO_APPS', {
      command,
      home: daemons.home,
      file: file ?? 'standard input',
    });
  }
  return conclude(context, client, await ask(context, client, method, { selectors }));
}
