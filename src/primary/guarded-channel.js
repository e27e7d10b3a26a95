/**
 * A worker that writes to the descriptor of its channel by mistake would end the primary: Node
 * parses what comes there, and throws out of the event loop (all of Node 20 to 26).
 */

/**
 * @typedef {object} ChannelHandle
 * @property {(data?: ArrayBuffer) => void} onread without data: the channel has ended
 */

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => void} onBroken called once; nothing that comes afterwards is read
 */
export function guardChannel(child, onBroken) {
  const handle = handleOf(child);
  if (!handle) return;
  const { onread } = handle;
  let isBroken = false;
  handle.onread = function (data) {
    if (isBroken && data) return;
    try {
      Reflect.apply(onread, this, [data]);
    } catch {
      isBroken = true;
      onBroken();
    }
  };
}

/**
 * The symbol is there on Node 20 to 26; without it the channel stays unguarded.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {ChannelHandle | undefined}
 */
function handleOf(child) {
  const key = Object.getOwnPropertySymbols(child).find(
    ({ description }) => description === 'kChannelHandle',
  );
  return key && /** @type {any} */ (child)[key];
}
