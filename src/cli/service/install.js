/** Writes, starts, stops and removes a service. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { shellLine } from '../../shared/quoting.js';
import { NodeclusterError, ignoreError } from '../../errors/error.js';
import { pairsOf } from './plan.js';
import { writeFileAtomic } from '../../shared/files/atomic-file.js';

/** @import { Installation, Service } from '../../boot/service.js' */

const runFile = promisify(execFile);
/** systemd waits until the apps have been started once. */
const TIMEOUT_MS = 180_000;
/** runuser, rc-service and rc-update are there; the PATH of a user other than root may not have them. */
const ROOT_PATH = `${process.env.PATH ?? '/usr/bin:/bin'}:/usr/local/sbin:/usr/sbin:/sbin`;

/**
 * If it fails, the files are as they were before.
 * @param {Installation} installation
 * @returns {Promise<boolean>} when the service runs; false: systemd could not open the ports, most often because apps have them
 */
export async function installService(installation) {
  const { files } = installation;
  const before = await Promise.all(
    files.map(({ path: file }) => readFile(file, 'utf8').catch(ignoreError('ENOENT'))),
  );
  try {
    for (const { path: file, text, mode } of files) await writeUnit(file, text, mode);
    const hasPorts = await openSockets(installation);
    await runAll(installation.activate, installation);
    return hasPorts;
  } catch (error) {
    await undo(installation, before).catch(() => {});
    throw error;
  }
}

/** @param {Installation} installation @param {(string | null)[]} before texts of its files */
async function undo(installation, before) {
  const { files, socketUnit, forget } = installation;
  if (before[0] === null) return removeService(installation, { ignoreFailures: true });
  if (socketUnit && before[1] === null) {
    await runAll(socketUnit.deactivate, installation).catch(() => {});
  }
  for (const [index, { path: file, mode }] of files.entries()) {
    const text = before[index];
    await (text === null ? rm(file, { force: true }) : writeUnit(file, text, mode));
  }
  return runAll(forget, installation);
}

/** @param {Installation} installation */
async function openSockets(installation) {
  const { socketUnit } = installation;
  // It may be there from an earlier `startup`.
  if (!socketUnit || !existsSync(socketUnit.path)) return true;
  await runAll(socketUnit.activate, installation);
  return runAll([socketUnit.open], installation).then(
    () => true,
    () => runAll([socketUnit.giveUp], installation).then(() => false),
  );
}

/**
 * Returns the files that were removed; none: it was not installed.
 * @param {Installation} installation
 * @param {{ignoreFailures?: boolean}} [options] of the commands, where nothing of it can run
 */
export async function removeService(installation, { ignoreFailures = false } = {}) {
  const run = (/** @type {string[][]} */ commands) =>
    runAll(commands, installation).catch((error) => {
      if (!ignoreFailures) throw error;
    });
  const files = installation.files.map(({ path: file }) => file).filter(existsSync);
  if (files.length === 0) return [];
  const { socketUnit } = installation;
  if (socketUnit && existsSync(socketUnit.path)) {
    // First, or a connection would start the service again.
    await run(socketUnit.deactivate);
    files.push(socketUnit.path);
  }
  await run(installation.deactivate);
  for (const file of files) await orServiceFileError(file, () => rm(file, { force: true }));
  await run(installation.forget);
  return files;
}

/** In the background, after its service was removed. @param {Service} service @param {string} userHome */
export async function startDaemonAs({ user, home, node, cli, env }, userHome) {
  const variables = { ...env, HOME: userHome, USER: user, NODECLUSTER_HOME: home };
  const command = ['env', '-i', ...pairsOf(variables), node, cli, 'ls'];
  const options = { cwd: '/', timeout: TIMEOUT_MS, env: { PATH: ROOT_PATH } };
  // Unlike a change of uid alone, it sets the user's groups, which the apps inherit.
  const run = runFile('runuser', ['-u', user, '--', ...command], options);
  return run.then(Boolean, () => false);
}

/** @param {string} user @returns whether systemd starts the units of that user at boot */
export async function isLingering(user) {
  const args = ['show-user', user, '--property=Linger', '--value'];
  const options = { timeout: TIMEOUT_MS };
  // It fails for a user who is not logged in and does not linger.
  const { stdout } = await runFile('loginctl', args, options).catch(() => ({ stdout: 'no' }));
  return stdout.trim() === 'yes';
}

/** @param {string[][]} commands @param {Installation} installation */
async function runAll(commands, { log }) {
  // `su` does not set it, and without it systemctl does not find the user's systemd.
  const XDG_RUNTIME_DIR = process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.geteuid?.()}`;
  const options = {
    timeout: TIMEOUT_MS,
    env: { ...process.env, PATH: ROOT_PATH, XDG_RUNTIME_DIR },
  };
  for (const [program, ...args] of commands) {
    await runFile(program, args, options).catch((error) => {
      const reason = String(error.stderr || error.message).trim();
      const command = shellLine([program, ...args]);
      throw new NodeclusterError('E_SERVICE', { command, reason, log }, error);
    });
  }
}

/** @param {string} file @param {string} text @param {number} mode */
async function writeUnit(file, text, mode) {
  await orServiceFileError(file, async () => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomic(file, text, { mode });
  });
}

/** @param {string} file @param {() => Promise<void>} work */
async function orServiceFileError(file, work) {
  try {
    await work();
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new NodeclusterError('E_SERVICE_FILE', { file, reason }, error);
  }
}
