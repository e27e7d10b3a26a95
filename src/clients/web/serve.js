/** The server of `nodecluster web`: a client of the daemon that shows it in browsers. */
import { once } from 'node:events';
import { hostname } from 'node:os';
import { listenOn } from '../../shared/listen-address.js';
import { limitedServer } from '../../shared/http-server.js';
import { listenAt } from '../../shared/unix-socket.js';
import { Links, Sessions } from './sessions.js';
import { siteOf } from './place.js';
import { readAssets } from './page-files.js';
import { makeHandler } from './handle.js';
import { makeRoutes } from './routes.js';
import { Live } from './live.js';
import { Actions } from './actions.js';

/**
 * @import { Server } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Verdict } from './sessions.js'
 * @import { Place } from './place.js'
 * @import { State } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

/** The port of a browser's machine that is forwarded to a unix socket. */
export const FORWARDED_PORT = 9477;

/**
 * @typedef {object} Web
 * @property {string} url of the page; of a unix socket, the one that a forwarded port has
 * @property {() => string} makeLink a URL that signs in once
 * @property {() => void} removeSocket of a unix socket, when the process exits
 * @property {Promise<unknown>} closed
 * @property {() => void} close
 */

/**
 * @param {HomePaths} paths
 * @param {Place} place
 * @param {{isReadOnly: boolean, onLink: (verdict: Verdict) => void}} options onLink: a link was opened
 * @returns {Promise<Web>} when it listens
 * @throws {NodeclusterError} E_LISTEN, E_PROTOCOL_SOCKET
 */
export async function serveWeb(paths, place, { isReadOnly, onLink }) {
  const site = siteOf(place);
  const assets = await readAssets();
  /** The connections that answer somebody who is signed in; idle ones give way to others. @type {Set<string>} */
  const busy = new Set();
  const server = limitedServer({ tls: place.tls, isKept: (socket) => busy.has(peerOf(socket)) });
  const { origin, port, removeSocket } = await listen(server, place);
  const live = new Live(paths, identityOf(paths, isReadOnly));
  const [links, sessions] = [new Links(), new Sessions()];
  const cookieName = `nodecluster-${port}`;
  const actions = new Actions(paths, live);
  const api = { site, links, sessions, cookieName, live, actions, paths, onLink };
  const handle = makeHandler({
    ...api,
    assets,
    routes: makeRoutes(api),
    onSignedIn: ({ request: { socket }, response }) => {
      const peer = peerOf(socket);
      busy.add(peer);
      response.once('close', () => busy.delete(peer));
    },
  });
  // Nothing is read from a connection before this turn of the event loop has ended.
  server.on('request', handle);
  const url = place.publicUrl ? `${place.publicUrl.origin}${site.base}` : `${origin}${site.base}`;
  return {
    url,
    makeLink: () => `${url}#token=${links.issue(performance.now())}`,
    removeSocket,
    closed: once(server, 'close'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @param {Pick<HomePaths, 'home'>} paths
 * @param {boolean} isReadOnly
 * @returns {Pick<State, 'hostname' | 'home' | 'isReadOnly'>}
 */
export function identityOf({ home }, isReadOnly) {
  return { hostname: hostname(), home, isReadOnly };
}

/**
 * @param {Server} server
 * @param {Place} place
 * @returns {Promise<{origin: string, port: number | string, removeSocket: () => void}>}
 */
async function listen(server, { address, tls }) {
  const protocol = tls ? 'https' : 'http';
  if ('path' in address) {
    const { removeFile } = await listenAt(address.path, server);
    const origin = `${protocol}://localhost:${FORWARDED_PORT}`;
    return { origin, port: 'unix', removeSocket: removeFile };
  }
  const listening = await listenOn(server, address);
  const port = listening.slice(listening.lastIndexOf(':') + 1);
  // No browser can open an address that means every one of this machine.
  const isEvery = ['0.0.0.0', '::'].includes(address.host);
  const origin = `${protocol}://${isEvery ? `${hostname()}:${port}` : listening}`;
  return { origin, port, removeSocket: () => {} };
}

/** A connection with TLS has another object than the one below it. @param {Socket} socket */
function peerOf({ remoteAddress, remotePort }) {
  return `${remoteAddress} ${remotePort}`;
}
