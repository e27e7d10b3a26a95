/** Says which argument or variable is larger than the system passes to a program: execve(2), E2BIG. */
import { readText } from '../files/inspect-path.js';
import { shortText } from '../quoting.js';
import { maskCommand } from '../secrets.js';
import { formatSize } from '../units.js';

/** Bytes of one argument or variable on Linux: MAX_ARG_STRLEN. */
export const MAX_STRING = 128 * 1024;
/** Bytes of all of them: a quarter of the stack limit, within these. */
const [MIN_TOTAL, MAX_TOTAL] = [128 * 1024, 6 * 1024 * 1024];
/** The kernel counts a pointer to each string, too. */
const POINTER = 8;
const MAX_NAME = 24;

/** @typedef {{command: readonly string[], env: Record<string, string | undefined>}} Execution */

/**
 * @template Child
 * @param {Execution} execution what is started
 * @param {() => Child} start
 * @throws {Error} what `start` throws; E2BIG with what is too large, in words that follow the code
 */
export function startWithin(execution, start) {
  try {
    return start();
  } catch (thrown) {
    const error = /** @type {NodeJS.ErrnoException} */ (thrown);
    if (error.code !== 'E2BIG') throw error;
    // Of this process, which those that it starts inherit.
    const [, stack = Infinity] =
      /^Max stack size +(\d+)/m.exec(readText('/proc/self/limits')) ?? [];
    throw new Error(`E2BIG: ${describeExcess(execution, Number(stack))}`, { cause: error });
  }
}

/** @param {Execution} execution that was refused @param {number} stack bytes */
export function describeExcess({ command, env }, stack) {
  const named = Object.entries(env).map(([name, value = '']) => ({
    name,
    text: `${name}=${value}`,
  }));
  const strings = [...command.map((text) => ({ name: null, text })), ...named].map((each) => ({
    ...each,
    // With the zero byte that ends it.
    size: Buffer.byteLength(each.text) + 1,
  }));
  const { name, text, size } = strings.reduce((a, b) => (b.size > a.size ? b : a));
  // An argument may contain a secret.
  const what =
    name === null
      ? `the argument ${shortText(maskCommand([text.slice(0, 2 * MAX_NAME)]), MAX_NAME)}`
      : `the variable ${shortText(name, MAX_NAME)}`;
  if (size > MAX_STRING) {
    return `${what} takes ${formatSize(size)}, and the limit for one is ${formatSize(MAX_STRING)}`;
  }
  const total = strings.reduce((sum, each) => sum + each.size + POINTER, 0);
  const limit = Math.max(MIN_TOTAL, Math.min(MAX_TOTAL, Math.floor(stack / 4)));
  return (
    `${strings.length} arguments and variables take ${formatSize(total)}, and the limit is ` +
    `${formatSize(limit)}, a quarter of the stack limit (ulimit -s); the largest is ${what} with ${formatSize(size)}`
  );
}
