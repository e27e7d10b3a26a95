/** Carries out one health check of one worker. */
import { commandFailure } from '../../lifecycle/restart-policy.js';
import { markOfCheck } from '../../primary/processes/strays.js';
import { GRACE_MS } from '../../primary/worker/channel.js';
import { workerEnvironment } from '../../primary/pool/launch.js';
import { within } from '../../shared/deadline.js';
import { runBounded, excerpt } from '../../shared/processes/bounded-command.js';

/**
 * @import { ClientRequest, IncomingMessage } from 'node:http'
 * @import { Spec } from '../../config/spec.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Listener } from '../../protocol/shapes.js'
 */

const MAX_BODY = 200;

/** @typedef {{status: number, body: string} | {error: string}} HealthReply `error`: `timeout`, `closed` or a text */

/** @typedef {Pick<WorkerHandle, 'launch' | 'slot' | 'pid' | 'mark' | 'strays' | 'variables' | 'agent' | 'listening'>} Checked */

/**
 * @param {Checked} worker
 * @param {NonNullable<Spec['health']>} rule
 * @param {AbortSignal} ended the worker needs no check any more
 * @returns {Promise<string | null>} why it failed; null: it succeeded, or its command exited with 0; never rejects
 */
export async function runCheck(worker, { http, exec, timeoutMs }, ended) {
  try {
    if (exec !== null) {
      const { launch, slot, pid, strays } = worker;
      const mark = markOfCheck(worker.mark);
      const variables = workerEnvironment(launch, slot, mark, worker.variables);
      const context = { cwd: launch.cwd, env: { ...variables, NODECLUSTER_PID: String(pid) } };
      const outcome = await runBounded(exec, context, { timeoutMs, ended });
      if (outcome.hasLeft) void strays.kill(mark);
      return commandFailure(exec[0], outcome);
    }
    const target = targetOf(/** @type {string} */ (http));
    const failure = failureOf(await ask(worker, target, timeoutMs), timeoutMs);
    return failure === null ? null : `GET ${target.url?.href ?? target.path}: ${failure}`;
  } catch (error) {
    return String(error);
  }
}

/**
 * @param {Checked} worker
 * @param {Target} target
 * @param {number} timeoutMs
 * @returns {Promise<HealthReply | null>} null: no reply, so its event loop is blocked
 */
async function ask({ agent, listening }, target, timeoutMs) {
  if (!agent) return askOverNetwork(target, listening.values(), timeoutMs);
  if (!agent.isConnected) return { error: 'the program has closed the channel to its parent' };
  const { path, host, port } = target;
  const order = { path, host, port, timeoutMs };
  const reply = await within(agent.channel.askOnce('health', order), timeoutMs + GRACE_MS);
  return /** @type {HealthReply | null} */ (reply);
}

/** @param {HealthReply | null} reply @param {number} timeoutMs */
function failureOf(reply, timeoutMs) {
  const within = `within ${timeoutMs / 1000} s`;
  if (reply === null) return `no reply ${within}, its event loop is blocked`;
  if ('error' in reply) {
    if (reply.error === 'timeout') return `no response ${within}`;
    if (reply.error === 'closed') return 'the connection was closed without a response';
    return excerpt(String(reply.error));
  }
  const { status, body } = reply;
  // As for Kubernetes.
  if (status >= 200 && status < 400) return null;
  return [String(Number(status)), excerpt(String(body ?? ''))].filter(Boolean).join(' ');
}

/**
 * Checks over HTTP what has no agent: the port of a program in fork mode.
 * @param {Target} target
 * @param {Iterable<Listener>} listening what the program is known to listen on
 * @param {number} timeoutMs
 * @returns {Promise<HealthReply>}
 */
export async function askOverNetwork(target, listening, timeoutMs) {
  const place = target.url ? placeOfUrl(target.url, target.port) : placeOfListener(listening);
  if (place === null) {
    const error = 'its port is not known, so a URL is needed, such as http://127.0.0.1:3000/health';
    return { error };
  }
  const { isEncrypted, ...where } = place;
  // 1 MB that few primaries need.
  const http = await (isEncrypted ? import('node:https') : import('node:http'));
  return new Promise((resolve) => {
    const headers = { host: target.host, 'user-agent': 'nodecluster-health', connection: 'close' };
    const options = { ...where, path: target.path, headers, agent: false };
    const request = http.get({ ...options, ...(isEncrypted && { rejectUnauthorized: false }) });
    const timer = setTimeout(() => end(request, { error: 'timeout' }, resolve), timeoutMs);
    request.once('close', () => clearTimeout(timer));
    request.once('error', ({ message }) => resolve({ error: message }));
    request.once('response', (response) => onResponse(request, response, resolve));
    request.once('upgrade', ({ statusCode: status = 0 }) =>
      end(request, { status, body: '' }, resolve),
    );
  });
}

/** @param {ClientRequest} request @param {IncomingMessage} response @param {(reply: HealthReply) => void} resolve */
function onResponse(request, response, resolve) {
  const { statusCode: status = 0 } = response;
  let body = '';
  const finish = () => end(request, { status, body: body.slice(0, MAX_BODY) }, resolve);
  if (status < 400) resolve({ status, body: '' });
  response.setEncoding('utf8');
  response.on('data', (/** @type {string} */ text) => {
    if (body.length < MAX_BODY) body += text;
    else finish();
  });
  response.once('close', finish);
}

/** @param {ClientRequest} request @param {HealthReply} reply @param {(reply: HealthReply) => void} resolve */
function end(request, reply, resolve) {
  resolve(reply);
  request.destroy();
}

/** @param {URL} url @param {number | null} port */
function placeOfUrl({ protocol, hostname }, port) {
  return { isEncrypted: protocol === 'https:', host: hostname.replace(/^\[|\]$/g, ''), port };
}

/** @param {Iterable<Listener>} listening */
function placeOfListener(listening) {
  const all = [...listening];
  const listener = all.find(({ protocol }) => protocol !== null) ?? all[0];
  if (!listener) return null;
  const isEncrypted = listener.protocol === 'https';
  if (listener.address.startsWith('/')) return { isEncrypted, socketPath: listener.address };
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(listener.address) ?? [];
  if (port === undefined) return null;
  return { isEncrypted, host: host === '*' ? '127.0.0.1' : host, port: Number(port) };
}

/**
 * @typedef {object} Target what a health check over HTTP requests
 * @property {string} path with its query
 * @property {string} host for the header
 * @property {number | null} port null: any
 * @property {URL | null} url null: only a path is given
 */

/** @param {string} http a path or a URL @returns {Target} */
function targetOf(http) {
  if (http.startsWith('/')) return { path: http, host: 'localhost', port: null, url: null };
  const url = new URL(http);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { path: url.pathname + url.search, host: url.host, port, url };
}
