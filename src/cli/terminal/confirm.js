/** Asks a question on the terminal. */
import { createInterface } from 'node:readline';

/** @import { Tty } from './terminal.js' */

/**
 * @param {Tty} tty
 * @param {string} question
 * @returns {Promise<boolean>} whether the user typed y or yes; not if the input ended
 */
export async function confirm({ input, output }, question) {
  output.write(`${question} [y/N] `);
  // Without the terminal's raw mode, Ctrl-C still ends the command.
  for await (const line of createInterface({ input, terminal: false })) {
    return /^y(es)?$/i.test(line.trim());
  }
  return false;
}
