import { catalogue } from './catalogue.js';
import { exitCodes } from './exit-codes.js';

/** @import { ErrorData, ErrorEntry } from './exit-codes.js' */

const NAME = 'NodeclusterError';

/** The one error class: it is sent between processes as plain data, and the catalogue words it. */
export class NodeclusterError extends Error {
  /**
   * @param {string} code
   * @param {ErrorData} [data] what its wording needs
   * @param {unknown} [cause] the error underneath
   */
  constructor(code, data = {}, cause = undefined) {
    const entry = catalogue[code] ?? catalogue.E_INTERNAL;
    super(textOf(entry.message, data) ?? '', cause === undefined ? undefined : { cause });
    this.name = NAME;
    this.code = code;
    this.data = data;
    this.exitCode = exitCodes[entry.exitCode];
    this.hint = textOf(entry.hint, data);
  }

  /** @returns {{code: string, data: ErrorData, message: string}} what crosses a socket */
  toJSON() {
    return { code: this.code, data: this.data, message: this.message };
  }

  /**
   * E_INTERNAL, if this version does not know the code.
   * @param {{code: string, data?: ErrorData, message?: string}} plain
   */
  static fromJSON({ code, data = {}, message }) {
    if (code in catalogue) return new NodeclusterError(code, data);
    return new NodeclusterError('E_INTERNAL', { detail: message ?? code });
  }

  /** @param {unknown} thrown @returns {NodeclusterError} itself, or E_INTERNAL for any other error */
  static from(thrown) {
    if (thrown instanceof NodeclusterError) return thrown;
    // A daemon runs from a copy of the package, whose class is another one.
    const isOfCopy = thrown instanceof Error && thrown.name === NAME && 'code' in thrown;
    if (isOfCopy) return NodeclusterError.fromJSON(/** @type {NodeclusterError} */ (thrown));
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    return new NodeclusterError('E_INTERNAL', { detail }, thrown);
  }
}

/** @param {ErrorEntry['hint']} text @param {ErrorData} data */
function textOf(text, data) {
  return typeof text === 'function' ? text(data) : (text ?? null);
}

/** @param {string} command @param {string} detail what is wrong with its arguments @param {string} [advice] default: its help */
export function usageError(command, detail, advice) {
  return new NodeclusterError('E_USAGE', { detail, command, advice });
}

/**
 * @template T, U
 * @param {() => T} work
 * @param {U} otherwise the result if it threw such an error
 * @param {readonly string[]} [codes] of system errors; by default every error counts
 */
export function attempt(work, otherwise, codes) {
  try {
    return work();
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (codes && !codes.includes(code)) throw error;
    return otherwise;
  }
}

/** @param {string} code of a system error @returns {(error: NodeJS.ErrnoException) => null} */
export function ignoreError(code) {
  return (error) => {
    if (error.code !== code) throw error;
    return null;
  };
}
