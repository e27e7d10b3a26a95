/** Decides whether a request may pass, and hands it to the file or the route that it names. */
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { cookieNamed, refusalByHost, refusalByOrigin } from './judge-request.js';
import { sendAsset } from './page-files.js';
import { Refusal, refuse, setHeaders } from './respond.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Api } from './routes.js'
 * @import { Assets } from './page-files.js'
 */

/**
 * @typedef {object} Exchange one request to the API and its answer
 * @property {IncomingMessage} request
 * @property {ServerResponse} response
 * @property {URLSearchParams} query
 * @property {() => boolean} isSignedIn asked again, it says whether the session has ended meanwhile
 *
 * @typedef {Record<string, (exchange: Exchange) => unknown>} Route by method
 *
 * @typedef {object} Own what it serves
 * @property {Assets} assets
 * @property {Record<string, Route>} routes by path
 * @property {(exchange: Pick<Exchange, 'request' | 'response'>) => void} onSignedIn called for each request of a session
 *
 * @typedef {Own & Pick<Api, 'site' | 'sessions' | 'cookieName'>} Served
 */

/** @type {Record<number, number>} the status of HTTP by the exit code of a command */
const STATUS = {
  [exitCodes.usage]: 400,
  [exitCodes.notFound]: 404,
  [exitCodes.refused]: 409,
  [exitCodes.connection]: 503,
};
/** A POST to it needs no session. */
export const SIGN_IN_PATH = 'api/session';
const SIGN_IN = 'You are not signed in. Open the newest link that `nodecluster web` printed.';

/**
 * @param {Served} served
 * @returns {(request: IncomingMessage, response: ServerResponse) => Promise<void>} never rejects
 */
export function makeHandler(served) {
  return async (request, response) => {
    try {
      setHeaders(response);
      await route(served, request, response);
    } catch (thrown) {
      if (response.headersSent) response.destroy();
      else refuse(response, refusalOf(thrown));
    }
  };
}

/** @param {Served} served @param {IncomingMessage} request @param {ServerResponse} response */
async function route(served, request, response) {
  const { site, assets, routes } = served;
  const wrongHost = refusalByHost(request.headers, site);
  if (wrongHost) throw new Refusal(403, wrongHost);
  const [path, ...queries] = (request.url ?? '').split('?');
  if (`${path}/` === site.base) throw new Refusal(308, 'See the page.', { Location: site.base });
  const place = path.startsWith(site.base) ? path.slice(site.base.length) || 'index.html' : '';
  const asset = assets.get(place);
  if (asset) {
    assertMethod(request, ['GET', 'HEAD']);
    return sendAsset(request, response, asset);
  }
  if (!Object.hasOwn(routes, place)) throw new Refusal(404, 'There is nothing at this path.');
  const query = new URLSearchParams(queries.join('?'));
  return replyTo(served, routes[place], { request, response, query });
}

/**
 * @param {Served} served
 * @param {Route} route
 * @param {Pick<Exchange, 'request' | 'response' | 'query'>} exchange
 */
async function replyTo({ site, sessions, cookieName, routes, onSignedIn }, route, exchange) {
  const { request, query } = exchange;
  const { headers, method = '' } = request;
  assertMethod(request, Object.keys(route));
  const otherSite = refusalByOrigin(headers, site, method !== 'GET');
  if (otherSite) throw new Refusal(403, otherSite);
  const cookie = cookieNamed(headers, cookieName);
  const given = headers['x-nodecluster-key'];
  const key = typeof given === 'string' ? given : query.get('key');
  const isSignedIn = () => sessions.use(cookie, key, performance.now());
  if (route !== routes[SIGN_IN_PATH] || method !== 'POST') {
    if (!isSignedIn()) throw new Refusal(401, SIGN_IN);
    onSignedIn(exchange);
  }
  await route[method]({ ...exchange, isSignedIn });
}

/** @param {IncomingMessage} request @param {string[]} allowed */
function assertMethod({ method = '' }, allowed) {
  if (allowed.includes(method)) return;
  const list = allowed.join(', ');
  throw new Refusal(405, `Methods that are allowed here: ${list}.`, { Allow: list });
}

/** @param {unknown} thrown */
function refusalOf(thrown) {
  if (thrown instanceof Refusal) return thrown;
  const { exitCode, message, hint } = NodeclusterError.from(thrown);
  return new Refusal(STATUS[exitCode] ?? 500, [message, hint].filter(Boolean).join(' '));
}
