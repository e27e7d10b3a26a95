/** Checks over HTTP what has no agent: the port of a program in fork mode. */
/**
 * @import { ClientRequest, IncomingMessage } from 'node:http'
 * @import { Listener } from '../../../protocol/shapes.js'
 * @import { HealthReply } from '../../../primary/worker/agent-link.js'
 * @import { Target } from './target.js'
 */

const MAX_BODY = 200;

/**
 * @param {Target} target
 * @param {Iterable<Listener>} listening what the program is known to listen on
 * @param {number} timeoutMs
 * @returns {Promise<HealthReply>}
 */
export async function askOverNetwork(target, listening, timeoutMs) {
  const place = target.url ? placeOfUrl(target.url) : placeOfListener(listening);
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

/** @param {URL} url */
function placeOfUrl({ protocol, hostname, port }) {
  const isEncrypted = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return { isEncrypted, host, port: Number(port) || (isEncrypted ? 443 : 80) };
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
