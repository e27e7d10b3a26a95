/** Sends a message to the programs of the workers that are online. */
import { NodeclusterError } from '../../errors/error.js';
import { resolveTargets } from '../control/targets.js';

/** @import { Handler } from '../control/methods.js' */

/** @type {Handler<'send'>} */
export async function sendMessage(daemon, { selectors, message }) {
  const fault = faultOf(message);
  if (fault !== null) throw new NodeclusterError('E_MESSAGE', { fault });
  const apps = resolveTargets(daemon, selectors).map(async ({ app, currentSlots }) => {
    const slots = currentSlots() ?? undefined;
    const { sent, failed } = app.isDown
      ? { sent: [], failed: [] }
      : await app.link.request('send', { slots, message });
    const idsOf = (/** @type {number[]} */ numbers) => numbers.map((slot) => app.ids[slot]);
    return { name: app.name, sent: idsOf(sent), failed: idsOf(failed) };
  });
  return { apps: await Promise.all(apps) };
}

/**
 * Node treats messages whose `cmd` begins with NODE_ as its own and acts on them.
 * @param {any} message
 */
function faultOf(message) {
  if (message === undefined) return 'it is missing';
  const { cmd } = Object(message);
  return typeof cmd === 'string' && cmd.startsWith('NODE_')
    ? 'a `cmd` that begins with NODE_ is reserved for Node itself'
    : null;
}
