/** What logs say of a request: the command that the user gave, its apps, and its parameters, without secrets. */
import { maskText } from '../../shared/secrets.js';
import { shortText } from '../../shared/quoting.js';
import { unlistedApps } from '../apps/plan.js';
import { resolveTargets } from './targets.js';

/**
 * @import { Daemon } from '../daemon.js'
 * @import { Row } from './methods.js'
 *
 * @typedef {object} Described
 * @property {string} command as users call it
 * @property {string[]} apps names, and `name:slot` where it concerns single workers; after `…` come more
 * @property {Record<string, unknown>} params that are short
 */

/** Characters of a parameter, and of the names of apps. */
const MAX_TEXT = 200;
const MAX_NAMES = 1000;
/** Characters of a text in which secrets are looked for. */
const MAX_MASKED = 4096;

/**
 * @param {Daemon} daemon
 * @param {string} method
 * @param {Row} row
 * @param {Record<string, any>} params valid
 * @returns {Described}
 */
export function describeRequest(daemon, method, row, params) {
  const command = ('command' in row && row.command) || (params.action ?? method);
  return {
    command,
    apps: shortList(appsOf(daemon, row, params), MAX_NAMES),
    params: briefly(params),
  };
}

/** @param {Daemon} daemon @param {Row} row @param {Record<string, any>} params */
function appsOf(daemon, row, { specs, selectors, selector, app, name, ...order }) {
  if (specs) {
    const unlisted = order.prune ? unlistedApps({ ...order, specs }, daemon.table.all()) : [];
    // The command says what is wrong with a spec.
    return [...specs, ...unlisted].map(({ name }) => (typeof name === 'string' ? name : '?'));
  }
  const find = ('targets' in row && row.targets) || resolveTargets;
  const words = selectors ?? [selector ?? app ?? 'all'];
  try {
    const targets = find(daemon, words).flatMap(({ app, currentSlots }) => {
      return currentSlots()?.map((slot) => `${app.name}:${slot}`) ?? app.name;
    });
    return name === undefined ? targets : [...targets, name];
  } catch {
    return []; // the command says why
  }
}

/**
 * Specs, environments, messages and input are long and contain secrets.
 * @param {Record<string, any>} params
 */
function briefly({
  specs: _specs,
  shellEnv: _env,
  updateEnv,
  message: _message,
  text: _text,
  only: _only,
  table: _table,
  ...rest
}) {
  const short = Object.entries(rest).map(([key, value]) => [key, shortValue(value)]);
  return { updateEnv: updateEnv ? true : undefined, ...Object.fromEntries(short) };
}

/** @param {unknown} value */
function shortValue(value) {
  if (Array.isArray(value)) return shortList(value, MAX_TEXT);
  return typeof value === 'string' ? maskedText(value) : value;
}

/** @param {readonly string[]} texts @param {number} maxLength of all together */
function shortList(texts, maxLength) {
  const kept = [];
  let length = 0;
  for (const text of texts) {
    if (length >= maxLength) return [...kept, '…'];
    const short = maskedText(text);
    kept.push(short);
    length += short.length;
  }
  return kept;
}

/** @param {string} text */
function maskedText(text) {
  return shortText(maskText(text.slice(0, MAX_MASKED)), MAX_TEXT);
}
