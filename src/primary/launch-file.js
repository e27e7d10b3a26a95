/**
 * What the daemon gives a primary: the parameters of its app, in a file or on stdin, and inherited
 * descriptors.
 */
import { readFileSync } from 'node:fs';
import { homePaths, pathsInUserDirectory } from '../shared/home.js';

/**
 * @import { AppPaths, HomePaths } from '../shared/home.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { Output, PrimaryLaunch } from '../shared/processes/records.js'
 * @import { DaemonLaunch } from './daemon-link.js'
 */

/**
 * @typedef {PrimaryLaunch & {daemon: Omit<DaemonLaunch, 'home' | 'log' | 'env'> | null}} LaunchFile
 *
 * @typedef {object} Descriptors
 * @property {number} [starter] a pipe that closes when the daemon that started this primary exits
 * @property {InheritedSocket[]} [sockets]
 * @property {Output} [output]
 *
 * The files of this primary. Another user than the daemon's may not enter the home directory: its
 * files are in its working directory, and the daemon keeps the other two.
 * @typedef {Pick<AppPaths, 'workers' | 'socket' | 'handover'>
 *   & {launch: string | null, record: string | null}} PrimaryPaths
 */

/**
 * @typedef {{file: LaunchFile, text: string, isOtherUser: boolean,
 *   paths: PrimaryPaths & Pick<HomePaths, 'logFile'>, firstPaths: PrimaryPaths}} Launch `firstPaths`:
 *   where daemons find it until its predecessor has exited
 */

/**
 * @param {string} source the path of the launch file, or `-` for stdin as another user than the
 *   daemon's
 * @returns {Launch}
 */
export function readLaunch(source) {
  const isOtherUser = source === '-';
  const text = readFileSync(isOtherUser ? 0 : source, 'utf8');
  /** @type {LaunchFile} */
  const file = JSON.parse(text);
  const { app, successor, logFile } = homePaths(file.home);
  const { name } = file.spec;
  const paths = isOtherUser
    ? { ...pathsInUserDirectory(), launch: null, record: null }
    : { ...app(name), logFile };
  const firstPaths = file.after ? successor(name) : paths;
  return { file, text, isOtherUser, paths, firstPaths };
}
