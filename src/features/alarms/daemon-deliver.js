/** One attempt to deliver a notice: by a command, or by a request. */
import { once } from 'node:events';
import { hostname } from 'node:os';
import { commandFailure, isResourceShortage } from '../../lifecycle/restart-policy.js';
import { runBounded, excerpt } from '../../shared/processes/bounded-command.js';
import { isOtherUser } from '../../shared/home.js';
import { environmentOf } from '../../daemon/users/account.js';
import { userOf } from '../../daemon/users/user-primary.js';
import { postAddress } from './options.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Alarm } from './record.js'
 * @import { Failure, Notice } from './decide.js'
 * @import { CommandContext } from '../../shared/processes/bounded-command.js'
 */

/** Characters of one string. A worker's last lines may be long, and a primary of another user may lie. */
const MAX_TEXT = 1000;
const MAX_ITEMS = 20;
/** Characters; OpenSSL says a lot. */
const MAX_REASON = 200;
/** Of those from 400 to 499, what another attempt may change. */
const TEMPORARY = [408, 425, 429];

/**
 * Never rejects.
 * @param {Spec} spec of the app
 * @param {Alarm} alarm
 * @param {Notice} notice
 * @param {string} home
 * @param {AbortSignal} signal nothing is delivered any more
 * @returns {Promise<Failure | null>} null: it was delivered
 */
export async function deliver(spec, alarm, notice, home, signal) {
  const { run, post, timeoutMs } = alarm;
  // A signal of its own, since many that wait for one are reported as a leak.
  const limits = { timeoutMs, ended: AbortSignal.any([signal]) };
  const variables = { ...spec.shellEnv, ...spec.env };
  try {
    if (signal.aborted) throw new Error('the daemon ended');
    const message = messageOf(notice);
    // The event is a part of its own: for Mattermost `type` is the type of a post, and one that it does not know is refused.
    const json = JSON.stringify(message, shortened);
    if (run === null) return await postJson(alarm, String(post), variables, json, limits);
    const { env, ...context } = await commandContext(spec, variables, home);
    const command = { ...context, env: { ...env, ...variablesOf(message) } };
    const outcome = await runBounded(run, command, limits, json);
    const reason = commandFailure(run[0], outcome);
    const { exit } = outcome;
    if (reason === null) return null;
    return { reason, isFinal: exit.error !== null && !isResourceShortage(exit) };
  } catch (thrown) {
    // A variable that is not set, or that no header can have; a user without a group.
    return { reason: /** @type {Error} */ (thrown).message, isFinal: true };
  }
}

/**
 * @param {Spec} spec
 * @param {Record<string, string>} variables of the app
 * @param {string} home in which `nodecluster` finds this daemon, unless another user runs the command
 * @returns {Promise<CommandContext>}
 * @throws {NodeclusterError} E_USER_GROUP
 */
async function commandContext(spec, variables, home) {
  const { uid, gid, cwd } = spec;
  if (!isOtherUser(uid) || uid === null) {
    return { cwd, env: { ...variables, NODECLUSTER_HOME: home }, ...(gid !== null && { gid }) };
  }
  const { account, user } = await userOf(spec, uid);
  return { cwd, env: { ...environmentOf(account, process.execPath), ...variables }, ...user };
}

/**
 * @param {Alarm} alarm
 * @param {string} post
 * @param {Record<string, string>} variables in place of each `${NAME}` of the address and the headers
 * @param {string} json
 * @param {{timeoutMs: number, ended: AbortSignal}} limits
 * @returns {Promise<Failure | null>} null: the server has taken it
 * @throws {Error} if a variable is not set, or no header can have it
 */
async function postJson({ headers }, post, variables, json, { timeoutMs, ended }) {
  const expand = (/** @type {string} */ text) =>
    text.replace(/\$\{(\w+)\}/g, (_, name) => {
      if (!Object.hasOwn(variables, name)) throw new Error(`the variable ${name} is not set`);
      return variables[name];
    });
  const url = postAddress(expand(post));
  if (url === null)
    throw new Error('the address is not a URL of https, or of http on this machine');
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
      'Content-Length': Buffer.byteLength(json),
    },
  });
  // Also after the answer.
  sent.on('error', () => {}).end(json);
  const late = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([ended, late]);
  try {
    // A server that wants to speak another protocol causes nothing else.
    const closed = once(sent, 'close', { signal }).then(() => [{ statusCode: null }]);
    const [{ statusCode }] = await Promise.race([once(sent, 'response', { signal }), closed]);
    return failureOf(statusCode);
  } catch (thrown) {
    const why = late.aborted ? `no answer within ${timeoutMs / 1000} s` : 'the daemon ended';
    const { message } = /** @type {Error} */ (thrown);
    return { reason: signal.aborted ? why : excerpt(message, MAX_REASON), isFinal: false };
  } finally {
    sent.destroy();
  }
}

/** @param {number | null} status @returns {Failure | null} */
function failureOf(status) {
  if (status === null)
    return { reason: 'the connection was closed without an answer', isFinal: false };
  if (status >= 200 && status < 300) return null;
  const more = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  const isFinal = status < 500 && !TEMPORARY.includes(status);
  return { reason: `the server answered ${status}${more}`, isFinal };
}

/** @typedef {Record<string, any> & {type: string}} Fields those of any event */

/** @param {Notice} notice @returns what a server gets, and a command on stdin */
function messageOf({ event, count, firstAt }) {
  const host = hostname();
  return {
    text: textOf(event, host, count),
    host,
    count,
    firstAt,
    event: /** @type {Fields} */ (event),
  };
}

/**
 * @param {Fields} event
 * @param {string} host
 * @param {number} count
 * @returns {string} `api:1 errored on web-1: failed 16 times`
 */
function textOf({ type, app, slot, ok, reason = null, failed }, host, count) {
  const [subject, change] = type.split('.');
  const name = slot === undefined ? app : `${app}:${slot}`;
  const verb = ok === false ? 'failed' : change;
  const what = ['worker', 'app'].includes(subject) ? verb : `${subject} ${verb}`;
  const why = reason ?? failed?.[0]?.reason ?? null;
  const times = count > 1 ? ` (${count} events)` : '';
  return printable(`${name} ${what} on ${host}${why === null ? '' : `: ${why}`}`) + times;
}

/** @param {ReturnType<typeof messageOf>} message @returns {Record<string, string>} of a command */
function variablesOf({ event: { type, app, slot, reason }, count, text }) {
  const all = { TYPE: type, APP: app, WORKER: slot, REASON: reason, COUNT: count, TEXT: text };
  const named = Object.entries(all).map(([name, value]) => [
    `NODECLUSTER_EVENT_${name}`,
    printable(value),
  ]);
  return Object.fromEntries(named);
}

/** @param {unknown} value @returns {string} one line, which an environment can hold */
function printable(value = '') {
  return excerpt(String(value), MAX_TEXT);
}

/** @param {string} _key @param {unknown} value */
function shortened(_key, value) {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  return Array.isArray(value) ? value.slice(-MAX_ITEMS) : value;
}
