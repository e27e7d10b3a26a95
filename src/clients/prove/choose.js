/** Which app `prove` is about, and what can be done to it. */
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError } from '../../errors/error.js';
import { maskLine } from '../../show/mask.js';
import { confirm } from '../../cli/terminal/confirm.js';
import { FAULTS, faultsFor } from './faults.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { AppView } from '../../protocol/shapes.js'
 * @import { Context } from '../../cli/context.js'
 * @import { FaultName } from './faults.js'
 * @import { Place } from './place.js'
 */

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @returns {Promise<AppView>} that is online
 * @throws {NodeclusterError} E_PROVE_APP, E_PROVE_DOWN, E_APP_UNKNOWN
 */
export async function chooseApp(context, client) {
  const { words } = context;
  const { apps } = await client.request('list', {});
  const running = apps.filter(({ status }) => status !== 'stopped').map(({ name }) => name);
  const selectors = words.length > 0 ? await selectorsFor(context, client, words) : running;
  if (selectors.length !== 1) throw new NodeclusterError('E_PROVE_APP', { names: selectors });
  const { apps: found } = await client.request('describe', { selectors });
  if (found.length !== 1) {
    throw new NodeclusterError('E_PROVE_APP', { names: found.map(({ name }) => name) });
  }
  const [app] = found;
  const { name, status, busy } = app;
  if (status === 'online' && !busy) return app;
  throw new NodeclusterError('E_PROVE_DOWN', { app: name, status, busy });
}

/**
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {AppView} app
 * @returns {Promise<FaultName[]>} in the order in which they are caused
 * @throws {NodeclusterError} E_PROVE_EVENT
 */
export async function chooseFaults({ options, note }, client, app) {
  const { isForeground = false } = await client.request('ping', {});
  const possible = faultsFor(app, isForeground);
  /** @type {readonly FaultName[]} */
  const chosen = options.only ?? possible;
  const event = chosen.find((name) => !possible.includes(name));
  if (event) throw new NodeclusterError('E_PROVE_EVENT', { app: app.name, event });
  if (app.mode === 'fork') {
    note(
      `${maskLine(app.name)} runs in fork mode: the next worker listens only when the one before ` +
        'it has exited, and requests in between are lost.',
    );
  }
  return FAULTS.filter((name) => chosen.includes(name));
}

/**
 * @param {Context} context
 * @param {AppView} app
 * @param {Place} place
 * @param {readonly FaultName[]} names
 * @returns {Promise<boolean>} whether the user agrees
 * @throws {NodeclusterError} E_PROVE_CONFIRM
 */
export async function askFirst({ options, tty }, { name }, place, names) {
  if (options.yes) return true;
  if (tty === null || options.json) throw new NodeclusterError('E_PROVE_CONFIRM', { app: name });
  const app = maskLine(name);
  const deeds = {
    reload: `reloads ${app} with the code that is on disk now`,
    worker: 'kills one of its workers',
    primary: 'kills its primary',
    daemon: 'kills the daemon',
  };
  const steps = names.map((each) => deeds[each]);
  const list = steps.length > 1 ? `${steps.slice(0, -1).join(', ')} and ${steps.at(-1)}` : steps[0];
  return confirm(tty, `This sends requests to ${place.text}, and meanwhile ${list}. Continue?`);
}
