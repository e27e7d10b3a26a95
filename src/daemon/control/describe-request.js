/** What logs say of a request: the command that the user gave, its apps, its parameters without secrets, and who asks. */
import { readFile, readlink } from 'node:fs/promises';
import { within } from '../../shared/deadline.js';
import { maskText } from '../../shared/secrets.js';
import { shortText } from '../../shared/quoting.js';
import { unlistedApps } from '../apps/plan.js';
import { nameOfUser } from '../users/account.js';
import { resolveTargets } from './targets.js';

/**
 * @import { Sender } from '../../protocol/shapes.js'
 * @import { Hello } from '../../protocol/wire.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Row } from './methods.js'
 *
 * @typedef {{command: string, apps: string[], params: Record<string, unknown>}} Described command: as users call it; apps:
 *   names, and `name:slot` where it concerns single workers, after `…` come more; params: those that are short
 */

const MAX_TEXT = 200;
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

/** Specs, environments, messages and input are long and contain secrets. */
const UNSAID = ['specs', 'shellEnv', 'updateEnv', 'message', 'text', 'only'];

/** @param {Record<string, any>} params */
function briefly(params) {
  const rest = Object.entries(params).filter(([key]) => !UNSAID.includes(key));
  const short = rest.map(([key, value]) => [key, shortValue(value)]);
  return { updateEnv: params.updateEnv ? true : undefined, ...Object.fromEntries(short) };
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

const MAX_NAME = 64;
const MAX_DIRECTORY = 200;
/** ms for a file of a process, whose memory the kernel may be busy with, and for the name of a user. */
const READ_MS = 500;

/**
 * Ask while the client waits for the reply: then its process is there. Only Linux says something of it.
 * @param {Pick<Hello, 'role' | 'user' | 'pid'>} peer
 * @returns {Promise<Sender>} never rejects
 */
export async function senderOf({ role, user, pid }) {
  const read = (/** @type {string} */ file) => known(readFile(`/proc/${pid}/${file}`, 'utf8'));
  const [status, loginUid, cwd] = await Promise.all([
    ...['status', 'loginuid'].map(read),
    known(readlink(`/proc/${pid}/cwd`)),
  ]);
  const uid = /^Uid:\s+(\d+)/m.exec(status ?? '')?.[1];
  const [account, login] = await Promise.all([uid, loginUid].map(nameOf));
  return {
    role: shortText(role, MAX_NAME),
    user: user === undefined ? null : shortText(user, MAX_NAME),
    account,
    login,
    cwd: cwd && shortText(maskText(cwd), MAX_DIRECTORY),
  };
}

/** @param {Promise<string>} fact */
async function known(fact) {
  return (await within(fact, READ_MS).catch(() => null)) ?? null;
}

/** Of loginuid(5): nobody logged in. */
const NOBODY = 2 ** 32 - 1;

/** @param {string | null | undefined} uid */
async function nameOf(uid) {
  if (!uid || Number(uid) === NOBODY) return null;
  const name = await known(nameOfUser(Number(uid)));
  return name && shortText(name, MAX_NAME);
}
