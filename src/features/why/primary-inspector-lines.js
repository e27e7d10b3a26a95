/**
 * What Node writes to the stderr of a worker about its inspector: it is for the primary, not for the log
 * of the program.
 */

/** Node writes each with one call, so other lines do not come in between. */
const LINES = new RegExp(
  [
    'Debugger listening on (ws:\\S+)\\n',
    'For help, see: https://nodejs\\.org/\\S+\\n',
    'Debugger (?:attached\\.|ending on \\S+)\\n',
    'Waiting for the debugger to disconnect\\.\\.\\.\\n',
    'Starting inspector on \\S+ failed: [^\\n]*\\n',
  ].join('|'),
  'g',
);
/** The rest of it may be in the next chunk. */
const BEGUN = /(?:Debugger [a-z]|For help, see: |Waiting for the d|Starting inspector )[^\n]*$/;
/** Lines may still be in the pipe. */
const LAST_LINES_MS = 1000;

export class InspectorLines {
  #isExpected = false;
  /** The beginning of such a line. */
  #begun = '';
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** Called with the address of an inspector that has opened. @type {(url: string) => void} */
  onOpen = () => {};

  /** From now on the lines of an inspector are removed. */
  expect() {
    clearTimeout(this.#timer);
    this.#isExpected = true;
  }

  /** The inspector is closed for good. */
  end() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#isExpected = false), LAST_LINES_MS).unref();
  }

  /** @param {Buffer} chunk of stderr @returns {Buffer} what the program wrote */
  filter(chunk) {
    if (!this.#isExpected && this.#begun === '') return chunk;
    const text = this.#begun + chunk.toString('latin1');
    this.#begun = '';
    if (!this.#isExpected) return Buffer.from(text, 'latin1');
    const rest = text.replace(LINES, (_line, /** @type {string | undefined} */ url) => {
      if (url !== undefined) this.onOpen(url);
      return '';
    });
    const end = rest.search(BEGUN);
    if (end !== -1) this.#begun = rest.slice(end);
    return Buffer.from(end === -1 ? rest : rest.slice(0, end), 'latin1');
  }
}
