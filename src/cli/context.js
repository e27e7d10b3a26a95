/** What a command may use of the world. Tests hand in another. */
import { existsSync } from 'node:fs';
import { ensureHome, resolveHome } from '../shared/home.js';
import { findDaemon, startDaemon } from '../api/find-daemon.js';
import { knownApps } from './actions/known-apps.js';
import { maskLine } from './render/mask.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { Invocation } from './program.js'
 * @import { Terminal } from './render/palette.js'
 * @import { Tty } from './terminal/terminal.js'
 * @import { Verb } from './verbs.js'
 */

/**
 * @typedef {object} World the process, as main hands it over
 * @property {string} cwd as the shell names it, its links unresolved
 * @property {Record<string, string | undefined>} env
 * @property {Terminal} stdout
 * @property {Terminal} stderr
 * @property {(text: string) => void} print a result, to stdout, with a line end
 * @property {(text: string) => Promise<boolean>} write to stdout; resolves when it is on its way,
 *   false: nobody reads any more
 * @property {(text: string) => void} note anything else, to stderr, with a line end
 * @property {<T>(work: () => Promise<T>) => Promise<T>} apart what anybody prints meanwhile is no
 *   result: it goes to stderr
 * @property {AsyncIterable<Buffer | string>} stdin
 * @property {Tty | null} tty null: stdin or stdout is no terminal
 */
/**
 * @typedef {object} Daemons
 * @property {string} home
 * @property {(start: 'always' | 'recorded' | 'never') => Promise<DaemonClient | null>} open null: none runs
 *   and none was started. 'recorded' starts one only for a home that has apps
 * @property {() => void} close the next `open` connects anew
 */
/**
 * @typedef {World & {
 *   command: string,
 *   words: string[],
 *   options: Record<string, any>,
 *   programArgs: string[],
 *   verbs: Verb[],
 *   daemons: Daemons,
 *   waiting: {goesOn: boolean},
 * }} Context `waiting.goesOn`: the daemon works on something that Ctrl-C here will not stop
 */

/**
 * @param {Invocation} invocation
 * @param {World} world
 * @returns {Context}
 */
export function makeContext({ command, words, options, programArgs, verbs }, world) {
  const asked = { command, words, options, programArgs, verbs };
  return { ...world, ...asked, daemons: homeDaemons(world), waiting: { goesOn: false } };
}

/**
 * @param {World} world
 * @returns {Daemons}
 */
function homeDaemons({ env, note }) {
  const home = resolveHome(env);
  /** @type {DaemonClient | null} */
  let client = null;
  /** @param {DaemonClient | null} connected kept until its connection ends */
  const keep = (connected) => {
    connected?.once('close', () => {
      if (client === connected) client = null;
    });
    return connected;
  };
  return {
    home,
    async open(start) {
      if (start !== 'always' && !existsSync(home)) return null;
      const paths = ensureHome(home);
      client ??= keep(await findDaemon(paths));
      if (client) return client;
      const recorded = knownApps(paths);
      if (start === 'never' || (start === 'recorded' && recorded.length === 0)) return null;
      if (recorded.length > 0) note(adoptionNote(recorded));
      client = keep(await startDaemon(paths, env));
      return client;
    },
    close() {
      client?.close();
      client = null;
    },
  };
}

/** @param {string[]} names */
function adoptionNote(names) {
  return `The daemon was not running. Starting it; it takes over ${names.map(maskLine).join(', ')}.`;
}
