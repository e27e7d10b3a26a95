/** One attempt to deliver a notice: by a command, or by a request. */
import { once } from 'node:events';
import { hostname } from 'node:os';
import { commandFailure } from '../../lifecycle/exit.js';
import { runBounded, excerpt } from '../../shared/processes/bounded-command.js';
import { isOtherUser } from '../../shared/home.js';
import { environmentOf } from '../../daemon/users/account.js';
import { userOf } from '../../daemon/users/user-primary.js';
import { reasonText } from '../../show/reason.js';
import { postAddress } from './options.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { Alarm } from './record.js'
 * @import { Notice, Occurrence } from './decide.js'
 */

/** Characters of one string. A worker's last lines may be long, and a primary of another user may lie. */
const MAX_TEXT = 1000;
const MAX_ITEMS = 20;

/**
 * Never rejects; null: it was delivered.
 * @param {Spec} spec @param {Alarm} alarm @param {Notice} notice @param {string} home @param {AbortSignal} signal
 */
export async function deliver(spec, alarm, { event, count, firstAt }, home, signal) {
  const { run, timeoutMs } = alarm;
  // A signal of its own, since many that wait for one are reported as a leak.
  const ended = AbortSignal.any([signal]);
  const variables = { ...spec.shellEnv, ...spec.env };
  const host = hostname();
  try {
    ended.throwIfAborted();
    // Few daemons deliver anything.
    const { eventText } = await import('../../show/event.js');
    const told = excerpt(`${host}: ${eventText(/** @type {Event} */ (event))}`, MAX_TEXT);
    const text = count > 1 ? `${told} (${count} events)` : told;
    // The event is a part of its own: for Mattermost `type` is the type of a post, and one that it does not know is refused.
    const json = JSON.stringify({ text, host, count, firstAt, event }, shortened);
    if (run === null) return await postJson(alarm, variables, json, ended);
    const { env, ...context } = await commandContext(spec, variables, home);
    const command = { ...context, env: { ...env, ...variablesOf(event, count, text) } };
    return commandFailure(run[0], await runBounded(run, command, { timeoutMs, ended }, json));
  } catch (thrown) {
    return excerpt(/** @type {Error} */ (thrown).message, MAX_TEXT);
  }
}

/** @param {Spec} spec @param {Record<string, string>} variables @param {string} home where `nodecluster` finds this daemon */
async function commandContext(spec, variables, home) {
  const { uid, gid, cwd } = spec;
  if (!isOtherUser(uid) || uid === null) {
    return { cwd, env: { ...variables, NODECLUSTER_HOME: home }, ...(gid !== null && { gid }) };
  }
  const { account, user } = await userOf(spec, uid);
  return { cwd, env: { ...environmentOf(account, process.execPath), ...variables }, ...user };
}

/** @param {Alarm} alarm @param {Record<string, string>} variables @param {string} json @param {AbortSignal} ended */
async function postJson({ post, headers, timeoutMs }, variables, json, ended) {
  const expand = (/** @type {string | null} */ text) =>
    String(text).replace(/\$\{(\w+)\}/g, (_, name) => {
      if (!Object.hasOwn(variables, name)) throw new Error(`the variable ${name} is not set`);
      return variables[name];
    });
  const url = postAddress(expand(post));
  if (url === null) throw new Error('its URL is not https, nor http on this machine');
  // Most daemons post nothing, and TLS takes some megabytes.
  /** @type {Pick<typeof import('node:https'), 'request'>} */
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const own = Object.entries(headers).map(([name, text]) => [name, expand(text)]);
  const sent = request(url, {
    method: 'POST',
    agent: false,
    // Also if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    headers: {
      'User-Agent': `nodecluster/${VERSION}`,
      ...Object.fromEntries(own),
      'Content-Type': 'application/json',
    },
  });
  sent.on('error', () => {}).end(json);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const signal = AbortSignal.any([ended, late]);
    const [{ statusCode }] = await once(sent, 'response', { signal });
    return statusCode >= 200 && statusCode < 300 ? null : `the server answered ${statusCode}`;
  } catch (thrown) {
    if (late.aborted) return `no answer within ${timeoutMs / 1000} s`;
    throw thrown;
  } finally {
    sent.destroy();
  }
}

/** @param {Occurrence} event @param {number} count @param {string} text @returns {Record<string, string>} of a command */
function variablesOf({ type, app, slot, reason }, count, text) {
  const all = { TYPE: type, APP: app, WORKER: slot, COUNT: count, TEXT: text };
  const REASON = reason ? reasonText(reason) : '';
  const named = Object.entries({ ...all, REASON }).map(([name, value = '']) => [
    `NODECLUSTER_EVENT_${name}`,
    excerpt(String(value), MAX_TEXT),
  ]);
  return Object.fromEntries(named);
}

/** @param {string} _key @param {unknown} value */
function shortened(_key, value) {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  return Array.isArray(value) ? value.slice(-MAX_ITEMS) : value;
}
