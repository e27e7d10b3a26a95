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
import { orUnwritable } from '../../shared/files/write-file.js';

/** @import { Installation, Service, Unit } from './service.js' */

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
export async function installService({ units, forget, log }) {
  // The last one first, as everywhere.
  const given = units.filter(({ text, path: file }) => text !== null || existsSync(file)).reverse();
  const before = await Promise.all(
    given.map(({ path: file }) => readFile(file, 'utf8').catch(ignoreError('ENOENT'))),
  );
  try {
    for (const unit of given) if (unit.text !== null) await writeUnit(unit, unit.text);
    for (const { activate } of given) await runAll(activate, log);
  } catch (error) {
    await undo(given, before, { forget, log }).catch(() => {});
    throw error;
  }
  const checks = given.flatMap(({ check }) => (check ? [check] : []));
  return runAll(checks, log).then(
    () => true,
    () => false,
  );
}

/** @param {Unit[]} units @param {(string | null)[]} before their texts @param {Pick<Installation, 'forget' | 'log'>} rest */
async function undo(units, before, { forget, log }) {
  for (const [index, unit] of units.entries()) {
    const text = before[index];
    if (text !== null) await writeUnit(unit, text);
    else await runAll(unit.deactivate, log).catch(() => {});
    if (text === null) await rm(unit.path, { force: true });
  }
  await runAll(forget, log);
}

/**
 * Returns the files that were removed; none: it was not installed.
 * @param {Installation} installation
 * @param {{ignoreFailures?: boolean}} [options] of the commands, where nothing of it can run
 */
export async function removeService({ units, forget, log }, { ignoreFailures = false } = {}) {
  const run = (/** @type {string[][]} */ commands) =>
    runAll(commands, log).catch((error) => {
      if (!ignoreFailures) throw error;
    });
  const installed = units.filter(({ path: file }) => existsSync(file));
  if (installed.length === 0) return [];
  for (const { deactivate } of installed.toReversed()) await run(deactivate);
  const files = installed.map(({ path: file }) => file);
  for (const file of files) await orUnwritable(file, () => rm(file, { force: true }), 'remove');
  await run(forget);
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

/** @param {string[][]} commands @param {string} log the command that shows why one failed */
async function runAll(commands, log) {
  // `su` does not set it, and without it systemctl does not find the user's systemd.
  const XDG_RUNTIME_DIR = process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.geteuid?.()}`;
  const env = { ...process.env, PATH: ROOT_PATH, XDG_RUNTIME_DIR };
  for (const [program, ...args] of commands) {
    await runFile(program, args, { timeout: TIMEOUT_MS, env }).catch((error) => {
      const reason = String(error.stderr || error.message).trim();
      const command = shellLine([program, ...args]);
      throw new NodeclusterError('E_SERVICE', { command, reason, log }, error);
    });
  }
}

/** @param {Unit} unit @param {string} text */
async function writeUnit({ path: file, mode = 0o644 }, text) {
  await orUnwritable(file, async () => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomic(file, text, { mode });
  });
}
