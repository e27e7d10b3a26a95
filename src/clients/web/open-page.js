/**
 * Opens a link in the browser of the desktop. Every user of the machine can read the arguments of a process, so
 * the browser gets the path of a file that only this user can read, and the file leads to the link.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** @import { Context } from '../../cli/context.js' */

/** After which the link in the file no longer signs in. */
const KEEP_MS = 10 * 60_000;

/**
 * @param {Context} context
 * @param {string} home where the file is written
 * @param {string} link
 */
export async function openPage({ note }, home, link) {
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
