import { NodeclusterError } from '../../errors/error.js';
import { selected } from './selected.js';

/** @import { AsyncHandler } from './methods.js' */

/**
 * A message to the programs of the workers that are online.
 * @type {AsyncHandler<'send'>}
 */
export async function send(world, { selectors, message }) {
  const fault = faultOf(message);
  if (fault !== null) throw new NodeclusterError('E_MESSAGE', { fault });
  const apps = await Promise.all(
    selected(world, selectors).map(async ({ app, slots }) => {
      const nobody = { sent: [], failed: [] };
      const { sent, failed } = app.isDown
        ? nobody
        : await app.link.request('send', { slots: slots ?? undefined, message });
      const ids = (/** @type {number[]} */ numbers) => numbers.map((slot) => app.ids[slot]);
      return { name: app.name, sent: ids(sent), failed: ids(failed) };
    }),
  );
  return { apps };
}

/**
 * Node takes messages whose `cmd` begins with NODE_ for its own and acts on them.
 * @param {any} message
 */
function faultOf(message) {
  if (message === undefined) return 'there is none';
  const { cmd } = Object(message);
  return typeof cmd === 'string' && cmd.startsWith('NODE_')
    ? 'a `cmd` that begins with NODE_ is reserved for Node itself'
    : null;
}
