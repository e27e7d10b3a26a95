/** Stands for the log of a worker: keeps what it was given. */

/** @param {() => boolean} [hasRoom] */
export function logSink(hasRoom = () => true) {
  return {
    /** @type {string[]} */
    chunks: [],
    /** @type {boolean[]} whether the chunk goes on with the line before it */
    goesOn: [],
    /** @type {(() => void)[]} */
    resume: [],
    write(/** @type {Buffer} */ chunk, /** @type {boolean} */ goesOn) {
      this.chunks.push(String(chunk));
      this.goesOn.push(goesOn);
      return hasRoom();
    },
    /** @returns {Promise<void>} */
    drained() {
      return new Promise((resolve) => this.resume.push(() => resolve()));
    },
  };
}
