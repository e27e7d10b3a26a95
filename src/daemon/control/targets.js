/** Selectors of apps and workers: name, id, name:slot, namespace, /regex/, all. */
import { runInNewContext } from 'node:vm';
import { nearest } from '../../config/spelling.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 */

/** For all names together. */
const MAX_REGEX_MS = 1000;

/**
 * @typedef {{app: App, currentSlots: () => number[] | null}} Target currentSlots: the slots that still have the targeted
 *   workers, null: the whole app; throws E_APP_DELETED if there are none
 *
 * @typedef {Pick<App, 'name' | 'namespace' | 'slots' | 'ids'>} Selectable
 * @typedef {{name: string, slots: number[] | null}} Selection of an app; slots null: the whole app
 */

/**
 * @param {Daemon} daemon @param {string[]} selectors
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_WORKER_UNKNOWN, E_SELECTOR_REGEX
 */
export function resolveTargets({ table }, selectors) {
  return select(selectors, table.all()).map(({ name, slots }) => {
    const app = /** @type {App} */ (table.get(name));
    const { ids } = app;
    return { app, currentSlots: () => slotsOfSameWorkers(app, slots, ids) };
  });
}

/**
 * A slot may get another worker while a command waits for its turn.
 * @param {App} app @param {number[] | null} slots @param {Record<number, number>} ids of the targeted workers
 */
function slotsOfSameWorkers(app, slots, ids) {
  const same = slots?.filter((slot) => app.ids[slot] === ids[slot]);
  if (same?.length === 0) {
    const workers = slots?.map((slot) => `${app.name}:${slot}`);
    throw new NodeclusterError('E_APP_DELETED', { workers });
  }
  return same === undefined || same.length === app.slots.length ? null : same;
}

/**
 * Each app once, in the order of `apps`.
 * @param {readonly string[]} selectors @param {readonly Selectable[]} apps @returns {Selection[]}
 */
export function select(selectors, apps) {
  const matches = selectors.flatMap((selector) => {
    const found = matchesOf(selector, apps);
    if (found.length === 0 && selector !== 'all') throw unknownError(selector, apps);
    return found;
  });
  return apps.flatMap(({ name, slots }) => {
    const own = matches.filter((match) => match.name === name);
    if (own.length === 0) return [];
    if (own.some((match) => match.slots === null)) return { name, slots: null };
    return {
      name,
      slots: slots.filter((slot) => own.some((match) => match.slots?.includes(slot))),
    };
  });
}

/** @param {string} selector @param {readonly Selectable[]} apps @returns {Selection[]} */
function matchesOf(selector, apps) {
  const whole = (/** @type {(app: Selectable) => boolean} */ isMatch) =>
    apps.filter(isMatch).map(({ name }) => ({ name, slots: null }));
  const single = (/** @type {(app: Selectable, slot: number) => boolean} */ isMatch) =>
    apps.flatMap((app) =>
      app.slots
        .filter((slot) => isMatch(app, slot))
        .map((slot) => ({ name: app.name, slots: [slot] })),
    );
  if (selector === 'all') return whole(() => true);
  const named = whole(({ name }) => name === selector);
  if (named.length > 0) return named;
  if (/^\d+$/.test(selector)) return single(({ ids }, slot) => ids[slot] === Number(selector));
  if (/^\/.+\/i?$/.test(selector)) {
    const matching = namesMatching(selector, apps);
    return whole(({ name }) => matching.includes(name));
  }
  const inNamespace = whole(({ namespace }) => namespace === selector);
  if (inNamespace.length > 0) return inNamespace;
  const [, name, digits] = /^(.+):(\d+)$/.exec(selector) ?? [];
  return single((app, slot) => app.name === name && slot === Number(digits));
}

/** Some patterns need endless steps, so V8 stops it. @param {string} selector @param {readonly Selectable[]} apps @returns {string[]} */
function namesMatching(selector, apps) {
  const end = selector.lastIndexOf('/');
  const names = apps.map(({ name }) => name);
  try {
    const pattern = new RegExp(selector.slice(1, end), selector.slice(end + 1));
    const code = 'names.filter((name) => pattern.test(name))';
    return [...runInNewContext(code, { pattern, names }, { timeout: MAX_REGEX_MS })];
  } catch (error) {
    // V8's message repeats the pattern: `Invalid regular expression: /(/: Unterminated group`.
    const reason =
      error instanceof SyntaxError
        ? error.message.replace(/^.*: /s, '')
        : `it takes longer than ${MAX_REGEX_MS} ms`;
    throw new NodeclusterError('E_SELECTOR_REGEX', { selector, reason });
  }
}

/** @param {string} selector @param {readonly Selectable[]} apps */
function unknownError(selector, apps) {
  const [, name = '', slot] = /^(?:(.+):)?(\d+)$/.exec(selector) ?? [];
  const app = apps.find((each) => each.name === name);
  if (slot !== undefined && (app || name === '')) {
    const workers = app?.slots.map((number) => `${name}:${number}`) ?? [];
    return new NodeclusterError('E_WORKER_UNKNOWN', { selector, workers });
  }
  const known = apps.map(({ name }) => name);
  const names = new Set([...known, ...apps.map(({ namespace }) => namespace)]);
  const data = {
    selector,
    known,
    nearest: nearest(selector.replace(/:\d+$/, ''), names),
  };
  return new NodeclusterError('E_APP_UNKNOWN', data);
}
