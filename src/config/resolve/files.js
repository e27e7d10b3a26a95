/** Resolves the paths of the files that an app writes, and checks that they are writable. */
import { constants } from 'node:fs';
import { resolve } from 'node:path';
import { NOWHERE } from '../../shared/log-files/log-paths.js';
import { readPidFile } from '../../shared/files/small-file.js';
import { inspectPath, isAccessible } from '../../shared/files/inspect-path.js';
import { parentsOf } from '../command/locate.js';

/** @import { AppContext, Settings } from './app.js' */

/** @param {string} cwd what relative paths start from @param {Settings} settings @param {AppContext} context */
export function resolveFiles(cwd, { values, inputOf }, { runsElsewhere }) {
  const resolveFile = (/** @type {string} */ key) => {
    const path = values[key];
    if (path === undefined) return null;
    const file = resolve(cwd, path);
    if (runsElsewhere) return file;
    const fault = path.endsWith('/') ? 'it ends with a slash' : describeFault(file);
    if (fault !== null) inputOf(key).reject('a file that can be written', fault);
    else if (key === 'pid_file' && readPidFile(file) === null) {
      inputOf(key).reject('a file for a pid', `${file} contains something else`);
    }
    return file;
  };
  const logFiles = {
    outFile: resolveFile('out_file'),
    errorFile: resolveFile('error_file'),
    logFile: resolveFile('log_file'),
  };
  const noLogs = { outFile: NOWHERE, errorFile: NOWHERE, logFile: null };
  return {
    ...(values.disable_logs === true ? noLogs : logFiles),
    pidFile: resolveFile('pid_file'),
  };
}

/** @param {string} file */
function describeFault(file) {
  const existing = parentsOf(file).find((each) => isAccessible(each, constants.F_OK)) ?? '/';
  const { kind, fault } = inspectPath(existing);
  if (fault !== null) return `${existing}: ${fault}`;
  if (existing === file && kind === 'directory') return `${file} is a directory`;
  if (existing !== file && kind !== 'directory') return `${existing} is not a directory`;
  if (isAccessible(existing, constants.W_OK)) return null;
  return `you may not write ${existing === file ? 'it' : `in ${existing}`}`;
}
