'use strict';

module.exports = { onceOpened, writeThrough };

/**
 * The stream must not be opened before the program first uses it.
 * @param {'stdout' | 'stderr'} name
 * @param {(stream: any) => void} callback
 */
function onceOpened(name, callback) {
  const property = Object.getOwnPropertyDescriptor(process, name);
  const open = property?.get;
  if (!property?.configurable || !open) return;
  let isKnown = false;
  Object.defineProperty(process, name, {
    ...property,
    get() {
      const stream = Reflect.apply(open, process, []);
      if (!isKnown) callback(stream);
      isKnown = true;
      return stream;
    },
  });
}

/**
 * Makes writes to stdout and stderr wait for room in the pipe, as writes to a file do. Under plain
 * `node` they are buffered in the process, and lost when it crashes or calls process.exit().
 */
function writeThrough() {
  const block = (/** @type {any} */ { _handle: handle }) => handle?.setBlocking?.(true);
  onceOpened('stdout', block);
  onceOpened('stderr', block);
}
