'use strict';
/**
 * Writing to a parent that is gone must not end the program in the middle of an answer. Under
 * plain `node` nobody's death makes its stdout break; here the pipes and the channel end in the
 * primary, and what the program writes in the instant of its death fails with EPIPE.
 */

module.exports = { forgiveBrokenPipes, closeChannel };

/** @typedef {(...args: any[]) => boolean} Send */

/** From before the program runs: its writes may fail before it is known that the primary died. */
function forgiveBrokenPipes() {
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) forgiveStream(name);
  const owner = /** @type {NodeJS.EventEmitter & {_send?: Send}} */ (
    /** @type {unknown} */ (process)
  );
  const { _send: send } = owner;
  if (typeof send !== 'function') return;
  // Without a callback an error becomes an 'error' of the process. node:cluster gives none.
  owner._send = function (message, handle, options, callback) {
    const onError = (/** @type {NodeJS.ErrnoException | null} */ error) => {
      if (error && error.code !== 'EPIPE') owner.emit('error', error);
    };
    return Reflect.apply(send, this, [message, handle, options, callback ?? onError]);
  };
}

/** The channel is gone for good: who sends hears of it if he asks to, and is not ended by it. */
function closeChannel() {
  const { send } = process;
  if (send) {
    process.send = /** @type {any} */ (
      (/** @type {any[]} */ ...args) => {
        const callback = args.find((each) => typeof each === 'function') ?? (() => {});
        return Reflect.apply(send, process, [args[0], undefined, undefined, callback]);
      }
    );
  }
  process.disconnect = () => {};
}

/**
 * A stream is opened when the program first asks for it, and not before.
 * @param {'stdout' | 'stderr'} name
 */
function forgiveStream(name) {
  const described = Object.getOwnPropertyDescriptor(process, name);
  const open = described?.get;
  if (!described?.configurable || !open) return;
  let isWatched = false;
  Object.defineProperty(process, name, {
    ...described,
    get() {
      /** @type {NodeJS.WriteStream} */
      const stream = Reflect.apply(open, process, []);
      if (!isWatched) {
        isWatched = true;
        stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
          // Any other error ends a program that does not listen for it.
          if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error;
        });
      }
      return stream;
    },
  });
}
