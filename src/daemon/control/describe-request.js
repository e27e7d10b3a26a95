/** What logs say of a request: the command that the user gave, its apps, and its parameters, without secrets. */
import { maskText } from '../../shared/secrets.js';
import { shortText } from '../../shared/quoting.js';
import { unlistedApps } from '../apps/plan.js';
import { resolveTargets } from './targets.js';

/**
 * @import { Daemon } from '../daemon.js'
 * @import { Row } from './methods.js'
 *
 * @typedef {{command: string, apps: string[], params: Record<string, unknown>}} Described command: as users call it; apps:
 *   names, and `name:slot` where it concerns single workers, after `…` come more; params: those that are short
 */

/** Characters of a parameter. */
const MAX_TEXT = 200;
/** Of a list. */
const MAX_ITEMS = 20;
/** Characters of a text in which secrets are looked for. */
const MAX_MASKED = 4096;

/** @param {Daemon} daemon @param {string} method @param {Row} row @param {Record<string, any>} params valid @returns {Described} */
export function describeRequest(daemon, method, row, params) {
  const command = ('command' in row && row.command) || (params.action ?? method);
  return { command, apps: shortList(appsOf(daemon, row, params)), params: briefly(params) };
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

/** Specs, environments, messages and input are long and contain secrets. @param {Record<string, any>} params */
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
  if (Array.isArray(value)) return shortList(value);
  return typeof value === 'string' ? maskedText(value) : value;
}

/** @param {readonly string[]} texts */
function shortList(texts) {
  const more = texts.length > MAX_ITEMS ? ['…'] : [];
  return [...texts.slice(0, MAX_ITEMS).map(maskedText), ...more];
}

/** @param {string} text */
function maskedText(text) {
  return shortText(maskText(text.slice(0, MAX_MASKED)), MAX_TEXT);
}
