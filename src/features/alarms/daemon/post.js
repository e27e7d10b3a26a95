/** Posts JSON to a server, and looks at nothing of its answer but the status. */
import { postAddress } from '../options.js';
import { excerpt } from '../../../shared/processes/bounded-command.js';
import { VERSION } from '../../../shared/version.js';

/**
 * @import { ClientRequest, IncomingMessage } from 'node:http'
 * @import { Failure } from '../decide.js'
 * @import { CommandLimits } from '../../../shared/processes/bounded-command.js'
 */

/** Characters; OpenSSL says a lot. */
const MAX_REASON = 200;
/** Of those from 400 to 499, what another attempt may change. */
const TEMPORARY = [408, 425, 429];

/**
 * @param {string} address
 * @param {Record<string, string>} headers
 * @param {string} json
 * @param {CommandLimits} limits
 * @returns {Promise<Failure | null>} null: the server has taken it
 */
export async function postJson(address, headers, json, limits) {
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

/** @param {ClientRequest} request @param {string} json @param {CommandLimits} limits @returns {Promise<Failure | null>} */
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
