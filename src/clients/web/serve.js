/** `web`: serves the page, as a client of the daemon, and prints the links that sign in. */
import { once } from 'node:events';
import { homePaths } from '../../shared/home.js';
import { limitedServer } from '../http-server.js';
import { listenOn } from '../../shared/listen-address.js';
import { formatDuration } from '../../shared/units.js';
import { listenAt } from '../../shared/unix-socket.js';
import { Actions } from './daemon.js';
import { makeHandler } from './handle.js';
import { Live } from './live.js';
import { readAssets } from './respond.js';
import { LINK_MS, Links, Sessions } from './sessions.js';
import { readPlace, siteOf } from './site.js';

/**
 * @import { Server } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Context } from '../../cli/context.js'
 * @import { Verdict } from './sessions.js'
 * @import { Place } from './site.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

const DEFAULT_ADDRESS = '127.0.0.1:9477';
/** The port of a browser's machine that is forwarded to a unix socket. */
const FORWARDED_PORT = 9477;
/** What is said when a link was opened. */
const LINK_NOTES = {
  ok: 'A browser has signed in. The next link:',
  expired: 'A link was opened too late. The next one:',
  used: 'A link that had been used was opened again, and refused.',
};

/**
 * @param {Context} context
 * @throws {NodeclusterError} E_NO_APPS, E_USAGE, E_LISTEN
 */
export async function servePage(context) {
  const { options, note, print, daemons } = context;
  const { listen = DEFAULT_ADDRESS, behindProxy, readOnly = false } = options;
  const place = readPlace({ listen, behindProxy });
  // Starts the daemon if there are apps and none runs; later nothing here starts one.
  await context.openForApps();
  daemons.close();
  const paths = homePaths(daemons.home);
  const web = await serveWeb(paths, place, {
    isReadOnly: readOnly,
    onLink: (verdict) => {
      if (verdict !== 'unknown') note(LINK_NOTES[verdict]);
      if (verdict === 'ok' || verdict === 'expired') print(web.makeLink());
    },
  });
  removeAtEnd(web.removeSocket);
  const end = `${readOnly ? 'The page is read-only. ' : ''}Press Ctrl-C to stop.`;
  note(`Open this link in a browser. It signs in once, within ${formatDuration(LINK_MS)}. ${end}`);
  if ('path' in place.address && !place.publicUrl) {
    note(`Forward the socket first: ssh -L ${FORWARDED_PORT}:${place.address.path} <this machine>`);
  }
  print(web.makeLink());
  await web.closed;
  return 0;
}

/** A process that a signal kills emits no 'exit'. @param {() => void} removeSocket */
function removeAtEnd(removeSocket) {
  process.once('exit', removeSocket);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => {
      removeSocket();
      process.kill(process.pid, signal);
    });
  }
}

/**
 * @param {HomePaths} paths
 * @param {Place} place
 * @param {{isReadOnly: boolean, onLink: (verdict: Verdict) => void}} options onLink: a link was opened
 * @returns when it listens; url: of the page, of a unix socket the one that a forwarded port has; makeLink: a URL that
 *   signs in once; removeSocket: of a unix socket, when the process exits
 * @throws {NodeclusterError} E_LISTEN, E_PROTOCOL_SOCKET
 */
export async function serveWeb(paths, place, { isReadOnly, onLink }) {
  const site = siteOf(place);
  const assets = await readAssets();
  /** The connections that answer somebody who is signed in; idle ones give way to others. @type {Set<Socket>} */
  const busy = new Set();
  const server = limitedServer((socket) => busy.has(socket));
  const { origin, port, removeSocket } = await listen(server, place);
  const live = new Live(paths, isReadOnly);
  const links = new Links();
  const handle = makeHandler({
    site,
    assets,
    links,
    sessions: new Sessions(),
    cookieName: `nodecluster-${port}`,
    live,
    actions: new Actions(paths, live),
    paths,
    onLink,
    onSignedIn: ({ socket }, response) => {
      busy.add(socket);
      response.once('close', () => busy.delete(socket));
    },
  });
  // Nothing is read from a connection before this turn of the event loop has ended.
  server.on('request', handle);
  const url = `${place.publicUrl?.origin ?? origin}${site.base}`;
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

/** @param {Server} server @param {Place} place */
async function listen(server, { address }) {
  if ('path' in address) {
    const { removeFile } = await listenAt(address.path, server);
    const origin = `http://localhost:${FORWARDED_PORT}`;
    return { origin, port: 'unix', removeSocket: removeFile };
  }
  const listening = await listenOn(server, address);
  const port = listening.slice(listening.lastIndexOf(':') + 1);
  return { origin: `http://${listening}`, port, removeSocket: () => {} };
}
