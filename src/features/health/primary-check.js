/** Carries out one health check of one worker. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import net from 'node:net';
import { commandFailure } from '../../lifecycle/exit.js';
import { markOfCheck } from '../../primary/processes/strays.js';
import { GRACE_MS } from '../../primary/worker/channel.js';
import { workerEnvironment } from '../../primary/pool/launch.js';
import { within } from '../../shared/deadline.js';
import { runBounded, excerpt } from '../../shared/processes/bounded-command.js';
import { withShortPath } from '../../shared/unix-socket.js';

/**
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { CheckRule } from './record.js'
 *
 * @typedef {Pick<WorkerHandle, 'launch' | 'slot' | 'pid' | 'mark' | 'strays' | 'variables' | 'agent' | 'listening'>} Checked
 * @typedef {{isEncrypted: boolean, socket?: net.Socket, host?: string, port?: number}} Place socket: connected
 */

/**
 * Why it failed; null: it succeeded; undefined: this process could not ask. Never rejects.
 * @param {Checked} worker @param {CheckRule} rule @param {AbortSignal} ended @param {string} socketFile where no other user is
 */
export async function runCheck(worker, { http, exec, timeoutMs }, ended, socketFile) {
  const timeout = AbortSignal.timeout(timeoutMs);
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
    const url = new URL(String(http), 'http://localhost');
    const defaultPort = url.protocol === 'https:' ? 443 : 80;
    const port = String(http).startsWith('/') ? null : Number(url.port) || defaultPort;
    const place = worker.agent
      ? await placeInside(worker.agent, port, timeoutMs, socketFile)
      : placeOnNetwork(url, port, [...worker.listening.keys()]);
    if (!place) return undefined;
    const failure = await request(place, url, timeout);
    return failure && `GET ${http}: ${failure}`;
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    const isLate = name === 'AbortError';
    const failure = isLate ? `no response within ${timeoutMs / 1000} s` : excerpt(message);
    return `${exec ? exec[0] : `GET ${http}`}: ${failure}`;
  }
}

/**
 * The agent gives its own server a connection of this process, since others listen on its port; undefined: there is none.
 * @param {NonNullable<Checked['agent']>} agent @param {number | null} port @param {number} timeoutMs @param {string} socketFile
 */
async function placeInside({ isConnected, channel }, port, timeoutMs, socketFile) {
  if (!isConnected) throw new Error('the program has closed the channel to its parent');
  const reply = await within(channel.askOnce('health', { port }), timeoutMs + GRACE_MS);
  if (reply === null)
    throw new Error(`no reply within ${timeoutMs / 1000} s, its event loop is blocked`);
  if (!reply.protocol)
    throw new Error(`no HTTP server listens${port === null ? '' : ` on port ${port}`}`);
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

/** @param {URL} url @param {number | null} port null: the first known one @param {string[]} addresses @returns {Place} */
function placeOnNetwork({ hostname, protocol }, port, addresses) {
  const address = port === null ? addresses[0] : `${hostname}:${port}`;
  const [, host, known] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  if (!known)
    throw new Error('its port is not known; use a URL such as http://127.0.0.1:3000/health');
  const isEncrypted = protocol === 'https:';
  return { host: host === '*' ? '127.0.0.1' : host, port: Number(known), isEncrypted };
}

/** @param {Place} place @param {URL} url @param {AbortSignal} signal @returns {Promise<string | null>} null: it is healthy */
async function request({ isEncrypted, socket, ...where }, { host, pathname, search }, signal) {
  // 1 MB that few primaries need.
  const { get } = await (isEncrypted ? import('node:https') : import('node:http'));
  const options = {
    ...where,
    ...(isEncrypted ? { socket, agent: false } : socket && { createConnection: () => socket }),
    path: pathname + search,
    headers: { host, 'user-agent': 'nodecluster-health', connection: 'close' },
    rejectUnauthorized: false,
    signal,
  };
  const request = get(options);
  request.on('error', () => {});
  try {
    const [response] = await once(request, 'response', { signal });
    const { statusCode: status } = response;
    if (status >= 200 && status < 400) return null;
    const pieces = response.setEncoding('utf8')[Symbol.asyncIterator]();
    const { value = '' } = await pieces.next().catch(() => ({}));
    return `${status} ${excerpt(value)}`.trim();
  } finally {
    request.destroy();
  }
}
