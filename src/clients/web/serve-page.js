/** `web`: serves the page and prints the links that sign in. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { formatDuration } from '../../shared/units.js';
import { LINK_MS } from './sessions.js';
import { readPlace } from './place.js';
import { FORWARDED_PORT, serveWeb } from './serve.js';
import { openHome } from './daemon.js';

/**
 * @import { Web } from './serve.js'
 * @import { Context } from '../../cli/context.js'
 */

const DEFAULT_ADDRESS = '127.0.0.1:9477';
/** What is said when a link was opened, before the next one is printed. */
const LINK_NOTES = {
  ok: 'A browser has signed in. The next link:',
  expired: 'A link was opened too late. The next one:',
  used: 'A link that had been used was opened again, and refused.',
};

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code, when the server has closed
 * @throws {NodeclusterError} E_NO_APPS, E_LISTEN_ADDRESS, E_LISTEN, E_WEB_PUBLIC, E_WEB_PROXY_URL, E_WEB_TLS
 */
export async function servePage(context) {
  const { options, note, print, daemons } = context;
  const { listen = DEFAULT_ADDRESS, behindProxy, readOnly = false } = options;
  const place = readPlace({ listen, behindProxy, tls: readTls(options) });
  const isUnix = 'path' in place.address;
  if (options.open && isUnix && !place.publicUrl) {
    throw usageError('web', '--open needs an address that a browser can open, not a unix socket');
  }
  const paths = await openHome(context);
  /** @type {Web} */
  const web = await serveWeb(paths, place, {
    isReadOnly: readOnly,
    onLink: (verdict) => {
      if (verdict !== 'unknown') note(LINK_NOTES[verdict]);
      if (verdict === 'ok' || verdict === 'expired') print(web.makeLink());
    },
  });
  removeAtEnd(web);
  const where = 'path' in place.address ? place.address.path : web.url;
  note(`Serving the page on ${where}${readOnly ? ', read-only' : ''}. Press Ctrl-C to stop.`);
  if (isUnix && !place.publicUrl) {
    note(`A browser reaches it by ssh -L ${FORWARDED_PORT}:${where}, and then the link.`);
  }
  note(`Each link signs in once, within ${formatDuration(LINK_MS)}:`);
  print(web.makeLink());
  if (options.open) await openPage(context, daemons.home, web.makeLink());
  await web.closed;
  return 0;
}

/** A process that a signal kills emits no 'exit'. @param {Web} web */
function removeAtEnd({ removeSocket }) {
  process.once('exit', removeSocket);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => {
      removeSocket();
      process.kill(process.pid, signal);
    });
  }
}

/** @param {Context['options']} options @returns {{cert: string, key: string} | null} in PEM */
function readTls({ tlsCert, tlsKey }) {
  if (tlsCert === undefined) return null;
  const [cert, key] = [tlsCert, tlsKey].map(readPem);
  try {
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new NodeclusterError('E_WEB_TLS', { file: tlsCert, reason: message }, error);
  }
}

/** @param {string} file */
function readPem(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new NodeclusterError('E_WEB_TLS', { file, reason: code }, error);
  }
}

/** After which the link in the file no longer signs in. */
const KEEP_MS = 10 * 60_000;

/**
 * Opens a link in the browser of the desktop. Every user of the machine can read the arguments of a process, so the browser gets the path of a file that only this user can read, and the file leads to the link.
 * @param {Context} context
 * @param {string} home where the file is written
 * @param {string} link
 */
async function openPage({ note }, home, link) {
  const file = path.join(home, 'open-web.html');
  const remove = () => rmSync(file, { force: true });
  remove();
  writeFileSync(file, redirectTo(link), { flag: 'wx', mode: 0o600 });
  setTimeout(remove, KEEP_MS).unref();
  process.once('exit', remove);
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [file], { detached: true, stdio: 'ignore' });
  child.unref();
  const problem = await Promise.race([
    once(child, 'spawn').then(() => null),
    once(child, 'error').then(([{ code }]) => code),
  ]).catch(({ code }) => code);
  if (problem) note(`Could not open a browser (${program}: ${problem}). Open the link yourself.`);
}

/** @param {string} link */
function redirectTo(link) {
  return `<!doctype html><meta http-equiv="refresh" content="0; url=${link}"><title>nodecluster</title>\n`;
}
