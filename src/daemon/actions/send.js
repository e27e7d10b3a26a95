/** Sends a message, a signal or input to the programs of the workers that run. */
import { NodeclusterError, usageError } from '../../errors/error.js';
import { signalNamed } from '../../shared/processes/signal.js';
import { resolveTargets } from '../control/targets.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @type {Handler<'send'>} */
export async function sendMessage(daemon, { selectors, message }) {
  const { cmd } = Object(message);
  if (message === undefined) throw usageError('send', 'The message is missing');
  // Node treats these as its own and acts on them.
  if (typeof cmd === 'string' && cmd.startsWith('NODE_')) {
    throw usageError('send', 'A `cmd` that begins with NODE_ is reserved for Node itself');
  }
  return sendToApps(daemon, selectors, (app, slots) => app.request('send', { slots, message }));
}

/** @type {Handler<'signal'>} */
export async function sendSignal(daemon, { selectors, signal: word }) {
  const signal = signalNamed(word);
  return sendToApps(daemon, selectors, (app, slots) => app.request('signal', { slots, signal }));
}

/** @type {Handler<'input'>} */
export async function sendInput(daemon, { selectors, text }) {
  const workers = resolveTargets(daemon, selectors).flatMap(({ app, currentSlots }) =>
    (currentSlots() ?? app.slots).map((slot) => ({ app, slot, name: `${app.name}:${slot}` })),
  );
  if (workers.length !== 1) {
    const names = workers.map(({ name }) => name).join(', ') || 'none';
    const detail = `Input goes to one worker, but the target names ${names}`;
    throw usageError('attach', detail, 'Name one: `nodecluster attach api:0`.');
  }
  const [{ app, slot, name }] = workers;
  if (app.isDown) throw new NodeclusterError('E_INPUT_CLOSED', { name, isRunning: false });
  return app.request('input', { slot, text });
}

/**
 * @param {Daemon} daemon @param {string[]} selectors
 * @param {(app: App, slots: number[] | undefined) => Promise<{sent: number[], failed: number[]}>} send
 */
async function sendToApps(daemon, selectors, send) {
  const apps = resolveTargets(daemon, selectors).map(async ({ app, currentSlots }) => {
    const slots = currentSlots() ?? undefined;
    const { sent, failed } = app.isDown ? { sent: [], failed: [] } : await send(app, slots);
    const idsOf = (/** @type {number[]} */ numbers) => numbers.map((slot) => app.ids[slot]);
    return { name: app.name, sent: idsOf(sent), failed: idsOf(failed) };
  });
  return { apps: await Promise.all(apps) };
}
