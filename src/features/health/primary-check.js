/** Carries out one health check of one worker. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import net from 'node:net';
import { commandFailure } from '../../lifecycle/restart-policy.js';
import { markOfCheck } from '../../primary/processes/strays.js';
import { GRACE_MS } from '../../primary/worker/channel.js';
import { workerEnvironment } from '../../primary/pool/launch.js';
import { within } from '../../shared/deadline.js';
import { runBounded, excerpt } from '../../shared/processes/bounded-command.js';
import { withShortPath } from '../../shared/unix-socket.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Listener } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { CheckRule } from './decide.js'
 *
 * @typedef {Pick<WorkerHandle, 'launch' | 'slot' | 'pid' | 'mark' | 'strays' | 'variables' | 'agent' | 'listening'>} Checked
 * @typedef {{isEncrypted: boolean} & ({host: string, port: number} | {path: string} | {socket: net.Socket})} Place socket:
 *   connected
 */

/** Characters. */
const MAX_BODY = 200;

/**
 * @param {Checked} worker
 * @param {CheckRule} rule
 * @param {AbortSignal} ended the worker needs no check any more
 * @param {string} socketFile in a directory that other users cannot enter
 * @returns {Promise<string | null | undefined>} why it failed; null: it succeeded, or its command exited with 0;
 *   undefined: this process could not ask; never rejects
 */
export async function runCheck(worker, { http, exec, timeoutMs }, ended, socketFile) {
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
    const failure = await ask(worker, String(http), timeoutMs, socketFile);
    return failure && `GET ${http}: ${failure}`;
  } catch (error) {
    return String(error);
  }
}

/** @param {Checked} worker @param {string} http a path or a URL @param {number} timeoutMs @param {string} socketFile */
async function ask({ agent, listening }, http, timeoutMs, socketFile) {
  const timeout = AbortSignal.timeout(timeoutMs);
  const url = http.startsWith('/') ? null : new URL(http);
  const port = url && (Number(url.port) || (url.protocol === 'https:' ? 443 : 80));
  const place = agent
    ? await placeInside(agent, port, timeoutMs, socketFile)
    : placeOnNetwork(url, Number(port), [...listening.values()]);
  if (typeof place !== 'object') return place;
  try {
    return await request(place, url ?? { host: 'localhost', pathname: http }, timeout);
  } catch (error) {
    if (timeout.aborted) return `no response within ${timeoutMs / 1000} s`;
    return excerpt(/** @type {Error} */ (error).message);
  }
}

/**
 * Its own server is asked, though others listen on the same port: the agent hands that a connection of this process.
 * @param {NonNullable<Checked['agent']>} agent
 * @param {number | null} port null: any
 * @param {number} timeoutMs
 * @param {string} socketFile
 * @returns {Promise<Place | string | undefined>} a string: why there is none; undefined: this process cannot make a
 *   connection
 */
async function placeInside({ isConnected, channel }, port, timeoutMs, socketFile) {
  if (!isConnected) return 'the program has closed the channel to its parent';
  const reply = await within(channel.askOnce('health', { port }), timeoutMs + GRACE_MS);
  if (reply === null) return `no reply within ${timeoutMs / 1000} s, its event loop is blocked`;
  if (!reply.protocol) return `no HTTP server listens${port === null ? '' : ` on port ${port}`}`;
  const ends = await connectPrivately(socketFile).catch(() => undefined);
  if (!ends) return undefined;
  const { socket, other } = ends;
  // While this process has that end too, nobody sees it close.
  const onSent = () => other.close();
  const onRefused = () => socket.destroy(new Error('it has no descriptor left'));
  const more = { socket: other, onSent, onFailed: onSent, onRefused };
  channel.send('health-connection', { port }, more);
  return { socket, isEncrypted: reply.protocol === 'https' };
}

/** @param {string} file of a unix socket @returns both ends of a connection */
async function connectPrivately(file) {
  const server = net.createServer({ pauseOnConnect: true });
  try {
    // All checks may use this file, since nothing comes between these lines.
    rmSync(file, { force: true });
    const accepted = once(server, 'connection');
    withShortPath(file, (reachable) => server.listen(reachable));
    const socket = withShortPath(file, (reachable) => net.connect(reachable));
    const [[{ _handle: other }]] = await Promise.all([accepted, once(socket, 'connect')]);
    return { socket, other };
  } finally {
    server.close();
  }
}

/**
 * @param {URL | null} url null: the port that a program in fork mode is known to listen on
 * @param {number} port of the URL
 * @param {Listener[]} listening
 * @returns {Place | string}
 */
function placeOnNetwork(url, port, listening) {
  const isEncrypted = url?.protocol === 'https:';
  if (url) return { host: url.hostname.replace(/^\[|\]$/g, ''), port, isEncrypted };
  const listener = listening.find(({ protocol }) => protocol !== null) ?? listening.at(0);
  const { address = '', protocol = null } = listener ?? {};
  if (address.startsWith('/')) return { path: address, isEncrypted: protocol === 'https' };
  const [, host, known] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  if (!known)
    return 'its port is not known, so a URL is needed, such as http://127.0.0.1:3000/health';
  const to = { host: host === '*' ? '127.0.0.1' : host, port: Number(known) };
  return { ...to, isEncrypted: protocol === 'https' };
}

/**
 * @param {Place} place
 * @param {{host: string, pathname: string, search?: string}} url
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>} null: it is healthy
 * @throws {Error} there was no response
 */
async function request({ isEncrypted, ...where }, { host, pathname, search = '' }, signal) {
  // 1 MB that few primaries need.
  const { get } = await import('node:http');
  const tls = isEncrypted ? await import('node:tls') : null;
  const servername = /^[^:[]*[a-z][^:]*/.exec(host)?.[0];
  const createConnection = () => {
    if (tls) return tls.connect({ ...where, servername, rejectUnauthorized: false });
    return 'socket' in where ? where.socket : net.connect(where);
  };
  const headers = { host, 'user-agent': 'nodecluster-health', connection: 'close' };
  const request = get({ path: pathname + search, headers, createConnection, signal });
  request.on('error', () => {});
  try {
    const [response] = await once(request, 'response', { signal });
    const { statusCode: status } = response;
    // As for Kubernetes.
    if (status >= 200 && status < 400) return null;
    return `${status} ${excerpt(await beginningOf(response))}`.trim();
  } finally {
    request.destroy();
  }
}

/** @param {IncomingMessage} response */
async function beginningOf(response) {
  let body = '';
  try {
    for await (const text of response.setEncoding('utf8')) {
      body += text;
      if (body.length >= MAX_BODY) break;
    }
  } catch {
    // The status says enough.
  }
  return body.slice(0, MAX_BODY);
}
