/** Stands for the log of a worker: keeps what it was given. */

export function logSink(hasRoom = () => true) {
  return {
    chunks: [],
    /** whether the chunk goes on with the line before it */
    goesOn: [],
    resume: [],
    write(chunk, goesOn) {
      this.chunks.push(String(chunk));
      this.goesOn.push(goesOn);
      return hasRoom();
    },
    drained() {
      return new Promise((resolve) => this.resume.push(() => resolve()));
    },
  };
}
