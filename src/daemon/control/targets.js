/** What a user may call an app or a worker by: name, id, name:slot, namespace, /regex/, all. */
import { nearest } from '../../config/nearest.js';
import { NodeclusterError } from '../../errors/error.js';
import { readSelectors } from './validate.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 */

/**
 * @typedef {object} Target
 * @property {App} app
 * @property {() => number[] | null} currentSlots those that still have the workers that were meant,
 *   null: the whole app; throws E_WORKER_DELETED when none has
 */

/**
 * @typedef {object} Selectable
 * @property {string} name
 * @property {string} namespace
 * @property {readonly number[]} slots
 * @property {Readonly<Record<number, number>>} ids by slot
 */

/**
 * @typedef {object} Selection
 * @property {string} name of an app
 * @property {number[] | null} slots null: all of them, as one
 */

/**
 * @param {Daemon} daemon
 * @param {unknown} selectors of a request
 * @returns {Target[]}
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_WORKER_UNKNOWN, E_SELECTOR_REGEX, E_REQUEST_INVALID
 */
export function resolveTargets({ table }, selectors) {
  return select(readSelectors(selectors), table.all()).map(({ name, slots }) => {
    const app = /** @type {App} */ (table.get(name));
    const { ids } = app;
    return { app, currentSlots: () => slotsOfSameWorkers(app, slots, ids) };
  });
}

/**
 * A slot may get another worker while a command waits for its turn.
 * @param {App} app
 * @param {number[] | null} slots
 * @param {Record<number, number>} ids of the workers that were meant
 */
function slotsOfSameWorkers(app, slots, ids) {
  const same = slots?.filter((slot) => app.ids[slot] === ids[slot]);
  if (same?.length === 0) {
    const workers = slots?.map((slot) => `${app.name}:${slot}`);
    throw new NodeclusterError('E_WORKER_DELETED', { workers });
  }
  return same === undefined || same.length === app.slots.length ? null : same;
}

/**
 * @param {readonly string[]} selectors
 * @param {readonly Selectable[]} apps
 * @returns {Selection[]} each app once, in the order of `apps`
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_WORKER_UNKNOWN, E_SELECTOR_REGEX
 */
export function select(selectors, apps) {
  /** @type {Map<string, Set<number> | null>} */
  const slotsByName = new Map();
  for (const selector of selectors) {
    const matches = matchesOf(selector, apps);
    if (matches.length === 0 && selector !== 'all') throw unknownError(selector, apps);
    for (const { name, slots } of matches) add(slotsByName, name, slots);
  }
  return apps
    .filter(({ name }) => slotsByName.has(name))
    .map(({ name }) => ({ name, slots: sorted(slotsByName.get(name) ?? null) }));
}

/**
 * @param {string} selector
 * @param {readonly Selectable[]} apps
 * @returns {Selection[]}
 */
function matchesOf(selector, apps) {
  if (selector === 'all') return apps.map(whole);
  const named = apps.filter(({ name }) => name === selector);
  if (named.length > 0) return named.map(whole);
  if (/^\d+$/.test(selector)) return byId(Number(selector), apps);
  if (/^\/.+\/i?$/.test(selector)) return byPattern(selector, apps);
  const namespace = apps.filter((app) => app.namespace === selector);
  return namespace.length > 0 ? namespace.map(whole) : bySlot(selector, apps);
}

/** @param {Selectable} app */
function whole({ name }) {
  return { name, slots: null };
}

/**
 * @param {number} id
 * @param {readonly Selectable[]} apps
 */
function byId(id, apps) {
  return apps.flatMap(({ name, slots, ids }) =>
    slots.filter((slot) => ids[slot] === id).map((slot) => ({ name, slots: [slot] })),
  );
}

/**
 * @param {string} selector
 * @param {readonly Selectable[]} apps
 */
function byPattern(selector, apps) {
  const end = selector.lastIndexOf('/');
  try {
    const pattern = new RegExp(selector.slice(1, end), selector.slice(end + 1));
    return apps.filter(({ name }) => pattern.test(name)).map(whole);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    throw new NodeclusterError('E_SELECTOR_REGEX', { selector, reason });
  }
}

/**
 * @param {string} selector
 * @param {readonly Selectable[]} apps
 */
function bySlot(selector, apps) {
  const [, name, digits] = /^(.+):(\d+)$/.exec(selector) ?? [];
  const slot = Number(digits);
  return apps
    .filter((app) => app.name === name && app.slots.includes(slot))
    .map((app) => ({ name: app.name, slots: [slot] }));
}

/**
 * @param {Map<string, Set<number> | null>} slotsByName
 * @param {string} name
 * @param {number[] | null} slots
 */
function add(slotsByName, name, slots) {
  const before = slotsByName.get(name);
  if (slots === null || before === null) slotsByName.set(name, null);
  else slotsByName.set(name, new Set([...(before ?? []), ...slots]));
}

/** @param {Set<number> | null} slots */
function sorted(slots) {
  return slots === null ? null : [...slots].sort((a, b) => a - b);
}

/**
 * @param {string} selector
 * @param {readonly Selectable[]} apps
 */
function unknownError(selector, apps) {
  const [, name = '', slot] = /^(.*?):?(\d+)$/.exec(selector) ?? [];
  const app = apps.find((each) => each.name === name);
  if (slot !== undefined && (app || name === '')) {
    const workers = app?.slots.map((number) => `${name}:${number}`) ?? [];
    return new NodeclusterError('E_WORKER_UNKNOWN', { selector, workers });
  }
  const known = apps.map(({ name }) => name);
  const names = new Set([...known, ...apps.map(({ namespace }) => namespace)]);
  const data = { selector, known, nearest: nearest(selector.replace(/:\d+$/, ''), names) };
  return new NodeclusterError('E_APP_UNKNOWN', data);
}
