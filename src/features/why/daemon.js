/** Looks into workers. They do it, with their primary: the daemon only says who is meant. */
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Door, SeenApp } from '../../daemon/control/door.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Handler } from '../../daemon/control/methods.js'
 * @import { SlotStack } from './record.js'
 */

/** @type {MakeFeature} */
export const why = (door) => ({
  methods: {
    why: { query: (_daemon, ...request) => lookInto(door, ...request) },
    profile: { answer: (_daemon, ...request) => profile(door, ...request) },
    'end-profile': { query: (_daemon, ...request) => endProfile(door, ...request) },
  },
});

/** For a primary to see where a worker is, one after another. */
const LOOK_MS = 15_000;

/** @type {Handler<'why', Door>} */
async function lookInto(door, { selectors }) {
  const targets = door.targets(selectors);
  const apps = targets.map(async ({ app, currentSlots }) => {
    if (app.isDown) return { name: app.name, workers: [] };
    const slots = currentSlots() ?? undefined;
    const { workers } = await app
      .request('why', { slots }, { addedMs: app.slots.length * LOOK_MS })
      .catch((error) => {
        if (targets.length === 1) throw error;
        return { workers: unknownWorkers(app, error) };
      });
    const own = workers.filter(({ slot }) => app.slots.includes(slot));
    return {
      name: app.name,
      workers: own.map((worker) => ({ id: app.ids[worker.slot], ...worker })),
    };
  });
  return { apps: await Promise.all(apps) };
}

/** A primary that does not reply hides no other. @param {SeenApp} app @param {Error} error @returns {SlotStack[]} */
function unknownWorkers({ link, generation }, { message }) {
  const state = 'unknown';
  const note = `cannot be asked: ${message}`;
  const slots = link.snapshot?.slots ?? [];
  return slots.map(({ slot, pid }) => {
    return { slot, pid, generation, state, note, frames: [], at: Date.now() };
  });
}

/** @type {Handler<'profile', Door>} */
async function profile(door, { selector, kind, durationMs = 0 }) {
  const { app, slot } = oneWorker(door.targets([selector]), selector);
  if (app.isDown) {
    throw new NodeclusterError('E_INSPECT', { app: app.name, slot, reason: 'does not run' });
  }
  const offer = await app.request('profile', { slot, kind, durationMs });
  const uid = app.spec.uid ?? Number(process.getuid?.());
  const file = path.join(app.link.directory, `profile-${offer.pid}`);
  return { app: app.name, slot, ...offer, file, uid };
}

/** @type {Handler<'end-profile', Door>} */
async function endProfile(door, { app: name, ...order }) {
  const app = door.apps.find((each) => each.name === name);
  await app?.request('end-profile', order);
  return null;
}

/** @param {ReturnType<Door['targets']>} targets @param {string} selector */
function oneWorker(targets, selector) {
  const workers = targets.flatMap(({ app, currentSlots }) =>
    (currentSlots() ?? app.slots).map((slot) => ({ app, slot })),
  );
  const [first] = workers;
  if (workers.length === 1) return first;
  const worker = first ? `${first.app.name}:${first.slot}` : 'api:0';
  throw new NodeclusterError('E_PROFILE_SELECTOR', { selector, count: workers.length, worker });
}
