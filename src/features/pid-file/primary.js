/** The files of `pid_file`: each contains the pid of one worker. At once, so that none outlives its app. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDirectorySync } from '../../shared/files/directories.js';
import { readPidFile } from '../../shared/files/small-file.js';
import { pathOfSlot } from '../../shared/log-files/log-paths.js';

/**
 * @import { App } from '../../primary/pool/app.js'
 * @import { MakeFeature } from '../../primary/features.js'
 */

/** Everybody may read a pid. */
const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/** @type {MakeFeature} */
export function pidFile(app, _directory, guard) {
  /** Pids by path, as they are written. @type {Map<string, number>} */
  let written = new Map();
  const write = guard(writePid);
  const update = () => {
    const before = written;
    written = pidsByPath(app);
    for (const file of new Set([...before.keys(), ...written.keys()])) {
      const [pid, earlier] = [written.get(file), before.get(file)];
      if (pid !== earlier) write(file, pid, earlier);
    }
  };
  app.pool.on('change', guard(update));
  return {};
}

/** @param {Pick<App, 'pool' | 'launch'>} app */
function pidsByPath({ pool, launch }) {
  const { pidFile: file } = launch.spec;
  /** @type {Map<string, number>} */
  const pids = new Map();
  if (file === null) return pids;
  const isOnly = pool.slots.size === 1;
  for (const slot of pool.slots.values()) {
    const pid = slot.mainWorker?.pid ?? null;
    if (pid !== null) pids.set(isOnly ? file : pathOfSlot(file, slot.number), pid);
  }
  return pids;
}

/** @param {string} file @param {number | undefined} pid undefined: none @param {number | undefined} written before */
function writePid(file, pid, written) {
  const found = readPidFile(file);
  if (pid === undefined) {
    // Another app may use the same file.
    if (found === String(written)) rmSync(file, { force: true });
    return;
  }
  if (found === null) throw new Error(`${file} contains something else than a pid`);
  const directory = path.dirname(file);
  if (!existsSync(directory)) makeDirectorySync(directory, DIRECTORY_MODE);
  const temporary = `${file}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${pid}\n`, { mode: FILE_MODE, flag: 'wx' });
  renameSync(temporary, file);
}
