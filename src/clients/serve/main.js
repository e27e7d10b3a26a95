/**
 * The program of `nodecluster serve`: serves the files of a directory over HTTP. It is an app like any
 * other. Arguments: the directory, the port and `--spa`; SERVE_USERNAME and SERVE_PASSWORD ask for a login.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import send from 'send';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { spa: { type: 'boolean', default: false } },
});
const [root, port] = positionals;
const { SERVE_USERNAME: username = '', SERVE_PASSWORD: password = '' } = process.env;
const login = Buffer.from(`${username}:${password}`).toString('base64');

const server = createServer((request, response) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    refuse(response, 405);
  } else if (!isLoggedIn(request)) {
    response.setHeader('WWW-Authenticate', 'Basic realm="Restricted", charset="UTF-8"');
    refuse(response, 401);
  } else {
    serveFile(request, response);
  }
});
server.listen(Number(port), () => console.log(`Serving ${root} on port ${port}`));

/**
 * send() keeps the path below the root and answers 404 for dotfiles.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function serveFile(request, response) {
  const [path] = (request.url ?? '/').split('?');
  // A missing script or image is no path of the program in the browser: index.html would hide the mistake.
  const isFile = path.slice(path.lastIndexOf('/') + 1).includes('.');
  const isPage = !isFile || (request.headers.accept ?? '').includes('text/html');
  const fallback = values.spa && isPage ? '/index.html' : '/404.html';
  sendFile(request, response, path, ({ status }) => {
    if (status !== 404) return refuse(response, status);
    response.statusCode = fallback === '/404.html' ? 404 : 200;
    // A part of it would be sent with status 206.
    delete request.headers.range;
    sendFile(request, response, fallback, () => refuse(response, 404));
  });
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {string} path still encoded
 * @param {(error: {status: number}) => void} onError nothing was sent yet
 */
function sendFile(request, response, path, onError) {
  send(request, path, { root, dotfiles: 'ignore' })
    .on('error', (error) => (response.headersSent ? response.destroy() : onError(error)))
    .pipe(response);
}

/** @param {IncomingMessage} request */
function isLoggedIn({ headers }) {
  if (username === '') return true;
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Basic ${login}`));
}

/** @param {string} text @returns {Buffer} of the same length for every text */
function digest(text) {
  return createHash('sha256').update(text).digest();
}

/** @param {ServerResponse} response @param {number} status */
function refuse(response, status) {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${status}\n`);
}
