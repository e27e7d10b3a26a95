/** One attempt to deliver a notice: by a command, or by a request. */
import { commandFailure, isResourceShortage } from '../../lifecycle/restart-policy.js';
import { runBounded, excerpt } from '../../shared/processes/bounded-command.js';
import { isOtherUser } from '../../shared/home.js';
import { environmentOf } from '../../daemon/users/account.js';
import { userOf } from '../../daemon/users/user-primary.js';
import { postAddress } from './options.js';
import { VERSION } from '../../shared/version.js';
import { hostname } from 'node:os';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Alarm } from './record.js'
 * @import { Failure, Notice } from './decide.js'
 * @import { CommandContext } from '../../shared/processes/bounded-command.js'
 * @import { ClientRequest, IncomingMessage } from 'node:http'
 */

/**
 * Never rejects.
 * @param {Spec} spec of the app
 * @param {Alarm} alarm
 * @param {Notice} notice
 * @param {string} home
 * @param {AbortSignal} ended nothing is delivered any more
 * @returns {Promise<Failure | null>} null: it was delivered
 */
export async function deliver(spec, alarm, notice, home, ended) {
  const { run, post, timeoutMs } = alarm;
  const limits = { timeoutMs, ended };
  if (ended.aborted) return { reason: 'the daemon ended', isFinal: true };
  try {
    const { json, variables } = messageOf(notice);
    if (run !== null) {
      const { env, ...context } = await commandContext(spec, home);
      const command = { ...context, env: { ...env, ...variables } };
      const outcome = await runBounded(run, command, limits, json);
      const reason = commandFailure(run[0], outcome);
      const { exit } = outcome;
      if (reason === null) return null;
      return { reason, isFinal: exit.error !== null && !isResourceShortage(exit) };
    }
    const expand = (/** @type {string} */ text) => expandVariables(text, appVariables(spec));
    const headers = Object.entries(alarm.headers).map(([name, text]) => [name, expand(text)]);
    return await postJson(expand(String(post)), Object.fromEntries(headers), json, limits);
  } catch (thrown) {
    // A variable that is not set, or that no header can have; a user without a group.
    return { reason: /** @type {Error} */ (thrown).message, isFinal: true };
  }
}

/**
 * @param {Spec} spec
 * @param {string} home in which `nodecluster` finds this daemon, unless another user runs the command
 * @returns {Promise<CommandContext>}
 * @throws {NodeclusterError} E_USER_GROUP
 */
async function commandContext(spec, home) {
  const { uid, gid, cwd } = spec;
  if (!isOtherUser(uid) || uid === null) {
    const env = { ...appVariables(spec), NODECLUSTER_HOME: home };
    return { cwd, env, ...(gid !== null && { gid }) };
  }
  const { account, user } = await userOf(spec, uid);
  const env = { ...environmentOf(account, process.execPath), ...appVariables(spec) };
  return { cwd, env, ...user };
}

/** @param {Spec} spec @returns {Record<string, string>} of its environment */
function appVariables({ shellEnv, env }) {
  return { ...shellEnv, ...env };
}

/**
 * @param {string} text
 * @param {Record<string, string>} variables
 * @returns {string} with the value of NAME in place of each `${NAME}`
 * @throws {Error} if a variable is not set
 */
function expandVariables(text, variables) {
  return text.replace(/\$\{(\w+)\}/g, (_, name) => {
    if (!Object.hasOwn(variables, name)) throw new Error(`the variable ${name} is not set`);
    return variables[name];
  });
}

/** Characters; OpenSSL says a lot. */
const MAX_REASON = 200;
/** Of those from 400 to 499, what another attempt may change. */
const TEMPORARY = [408, 425, 429];

/**
 * @param {string} address
 * @param {Record<string, string>} headers
 * @param {string} json
 * @param {{timeoutMs: number, ended: AbortSignal}} limits
 * @returns {Promise<Failure | null>} null: the server has taken it
 */
async function postJson(address, headers, json, limits) {
  const url = postAddress(address);
  if (url === null) {
    const reason = 'the address is not a URL of https, or of http on this machine';
    return { reason, isFinal: true };
  }
  // Most daemons post nothing, and TLS takes some megabytes.
  /** @type {Pick<typeof import('node:http'), 'request'>} */
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const options = {
    method: 'POST',
    agent: false,
    // Also if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    headers: {
      'User-Agent': `nodecluster/${VERSION}`,
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
    },
  };
  return answerOf(request(url, options), json, limits);
}

/** @param {ClientRequest} request @param {string} json @param {{timeoutMs: number, ended: AbortSignal}} limits @returns {Promise<Failure | null>} */
function answerOf(request, json, { timeoutMs, ended }) {
  return new Promise((resolve) => {
    const end = () => request.destroy(new Error('the daemon ended'));
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const finish = (/** @type {Failure | null} */ failure) => {
      clearTimeout(timer);
      ended.removeEventListener('abort', end);
      resolve(failure);
      request.destroy();
    };
    ended.addEventListener('abort', end);
    const fail = (/** @type {string} */ reason) => finish({ reason, isFinal: false });
    request.on('response', (response) => finish(verdictOf(response)));
    // Also after the answer.
    request.on('error', ({ message }) => fail(excerpt(message, MAX_REASON)));
    // A server that wants to speak another protocol causes neither.
    request.on('close', () => fail('the connection was closed without an answer'));
    request.end(json);
    if (ended.aborted) end();
  });
}

/** @param {IncomingMessage} response @returns {Failure | null} */
function verdictOf({ statusCode = 0 }) {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) {
    const reason = `the server answered ${statusCode}, and redirects are not followed`;
    return { reason, isFinal: true };
  }
  const isFinal = statusCode < 500 && !TEMPORARY.includes(statusCode);
  return { reason: `the server answered ${statusCode}`, isFinal };
}

/** Characters of one string. A worker's last lines may be long, and a primary of another user may lie. */
const MAX_TEXT = 1000;
const MAX_ITEMS = 100;
/** Characters of the whole, above which it is sent without its longest parts. */
const MAX_JSON = 64 * 1024;
const LONG_PARTS = ['lastLines', 'failed'];

/** @typedef {Record<string, any> & {type: string}} Fields those of any event */

/**
 * The event is a part of its own, since chat servers take some names of fields as settings: for Mattermost
 * `type` is the type of the post, and one that it does not know is refused.
 * @param {Notice} notice
 * @returns {{json: string, variables: Record<string, string>}} `json`: `text`, `host`, `count`, `firstAt` and
 *   the last `event`, as `events --json` prints it
 */
function messageOf({ event, count, firstAt }) {
  const fields = /** @type {Fields} */ (event);
  const host = hostname();
  const text = textOf(fields, host, count);
  const variables = {
    TYPE: fields.type,
    APP: fields.app,
    WORKER: fields.slot,
    REASON: fields.reason,
    COUNT: count,
    TEXT: text,
  };
  const entries = Object.entries(variables).map(([name, value]) => [
    `NODECLUSTER_EVENT_${name}`,
    printable(value),
  ]);
  const json = boundedJson(fields, { text, host, count, firstAt });
  return { json, variables: Object.fromEntries(entries) };
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

/** @param {unknown} value @returns {string} one line, which an environment can hold */
function printable(value = '') {
  return excerpt(String(value), MAX_TEXT);
}

/** @param {Fields} event @param {object} others of the message */
function boundedJson(event, others) {
  const json = JSON.stringify({ ...others, event }, shortened);
  if (json.length <= MAX_JSON) return json;
  const short = Object.entries(event).filter(([key]) => !LONG_PARTS.includes(key));
  return JSON.stringify({ ...others, event: Object.fromEntries(short) }, shortened);
}

/** @param {string} _key @param {unknown} value */
function shortened(_key, value) {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  return Array.isArray(value) ? value.slice(-MAX_ITEMS) : value;
}
