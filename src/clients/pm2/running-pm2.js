/** The PM2 of this user: what it runs, and commands to it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { NodeclusterError, attempt } from '../../errors/error.js';

/** @import { Context } from '../../cli/context.js' */

/** @typedef {ReturnType<typeof findPm2>} Pm2 */

/** The environment of every process is in the list. */
const MAX_OUTPUT_BYTES = 256 * 1024 ** 2;
/** `pm2 stop` waits for kill_timeout of every process. */
const TIMEOUT_MS = 120_000;

/** @param {Context['env']} env */
export function findPm2(env) {
  const home = resolve(env.PM2_HOME ?? join(env.HOME ?? '/', '.pm2'));
  // With its daemon down, every command of PM2 would start one.
  const isInstalled = (env.PATH ?? '')
    .split(delimiter)
    .some((each) => existsSync(join(each, 'pm2')));
  const pid = attempt(() => Number(readFileSync(join(home, 'pm2.pid'), 'utf8')), 0);
  return {
    home,
    /** Its daemon runs, and there is a `pm2` in PATH. */
    isRunning: isInstalled && pid > 0 && attempt(() => process.kill(pid, 0), false),
    run: (/** @type {string[]} */ args) => runPm2(args, env),
  };
}

/**
 * @param {Pm2} pm2
 * @param {string|null} dump a file; null: what runs, or else the dump of PM2's home
 * @returns {Promise<{processes: Pm2Process[], source: string}>} source: how messages name it
 */
export async function readPm2Processes(pm2, dump) {
  const isLive = dump === null && pm2.isRunning;
  const file = dump ?? join(pm2.home, 'dump.pm2');
  if (!isLive && !existsSync(file)) {
    const reason = `no PM2 runs with the home ${pm2.home}, and ${file} does not exist`;
    throw new NodeclusterError('E_PM2_NOT_FOUND', { reason });
  }
  const source = isLive ? '`pm2 jlist`' : file;
  const processes = parsePm2List(isLive ? await pm2.run(['jlist']) : readText(file));
  if (processes !== null) return { processes, source };
  const reason = `${source} is not a list of processes of PM2`;
  throw new NodeclusterError('E_PM2_NOT_FOUND', { reason });
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { message: reason } = /** @type {Error} */ (error);
    throw new NodeclusterError('E_CONFIG_UNREADABLE', { file, reason }, error);
  }
}

/** @param {string[]} args @param {Context['env']} env @returns its stdout @throws {NodeclusterError} E_PM2_FAILED */
async function runPm2(args, env) {
  try {
    const { stdout } = await promisify(execFile)('pm2', args, {
      env: { ...env, PM2_DISABLE_VERSION_CHECK: 'true' },
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: TIMEOUT_MS,
    });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = /** @type {Error & {stderr?: string}} */ (error);
    const reason = (stderr.trim() || message).split('\n')[0];
    throw new NodeclusterError('E_PM2_FAILED', { args, reason }, error);
  }
}

/**
 * @typedef {object} Pm2Process
 * @property {string} name
 * @property {number|null} id null in a dump
 * @property {boolean} isRunning
 * @property {Record<string, any>} settings as PM2 keeps them; nothing in them has been checked
 * @property {Record<string, unknown>} env PM2's, the shell's and the user's variables, mixed
 */

/**
 * @param {string} text JSON; `pm2 jlist` may print remarks in the lines before it
 * @returns {Pm2Process[] | null} null: it is not a list of PM2
 */
export function parsePm2List(text) {
  const start = text.search(/^\s*\[\s*([{\]]|$)/m);
  const list = attempt(() => JSON.parse(start === -1 ? text : text.slice(start)), null);
  return Array.isArray(list) && list.every(isProcess) ? list.map(toProcess) : null;
}

/** @param {any} entry */
function isProcess(entry) {
  const settings = entry?.pm2_env ?? entry;
  if (typeof entry?.name !== 'string' || typeof settings?.pm_exec_path !== 'string') return false;
  const { pm_cwd, exec_interpreter, env } = settings;
  const id = entry.pm_id ?? 0;
  return (
    [pm_cwd, exec_interpreter].every((each) => typeof (each ?? '') === 'string') &&
    typeof (env ?? {}) === 'object' &&
    // It becomes an argument of `pm2 stop` and `pm2 delete`, which also take `all`.
    Number.isSafeInteger(id) &&
    id >= 0
  );
}

/** @param {any} entry @returns {Pm2Process} */
function toProcess(entry) {
  const { env, ...settings } = entry.pm2_env ?? entry;
  const isRunning = !['stopped', 'stopping', 'errored'].includes(settings.status);
  return { name: entry.name, id: entry.pm_id ?? null, isRunning, settings, env: env ?? {} };
}
