/**
 * `node receive-sockets.js <socket> <uid> <gid>`, in the directory of a primary that runs as another user: passes its sockets
 * on to the daemon, over the channel of a child process. Node aborts when something else than a socket arrives, such as an
 * open file, so this must not happen in the daemon. It connects as that user, since the path may be a link to the socket of
 * another app, and keeps the real user id of root, so that the user can neither signal nor trace it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectChannel } from '../../protocol/handle-channel.js';
import { listeningAddress } from '../../shared/inherited-socket.js';

/**
 * @import { SendHandle } from 'node:child_process'
 * @import { HandleChannel } from '../../protocol/handle-channel.js'
 * @import { Handle } from '../../shared/inherited-socket.js'
 */

const CONNECT_MS = 5000;
/** ms between two messages; a primary has at most 64 sockets. */
const PAUSE_MS = 5;

const [, , socket, uid, gid] = process.argv;
process.setgroups?.([]);
process.setegid?.(Number(gid));
process.seteuid?.(Number(uid));

connectChannel(socket, CONNECT_MS).then(receiveFrom);

/** @param {HandleChannel} channel */
function receiveFrom(channel) {
  let isWaiting = false;
  channel.on('close', () => process.connected && process.disconnect());
  process.on('disconnect', () => channel.close());
  channel.on('message', ({ hold, release }, /** @type {Handle | null} */ handle) => {
    // A primary waits for the reply to each message.
    if (isWaiting || (handle !== null && listeningAddress(handle) === null)) {
      throw new Error('a primary does not send this');
    }
    isWaiting = true;
    const sent = /** @type {SendHandle | undefined} */ (
      /** @type {unknown} */ (handle ?? undefined)
    );
    // Nothing else of the message: what looks like a message of Node itself would crash the daemon.
    process.send?.({ hold, release }, sent, {}, () => handle?.close());
  });
  process.on('message', async (/** @type {object} */ reply) => {
    await sleep(PAUSE_MS);
    isWaiting = false;
    channel.send(reply);
  });
  process.send?.({ isConnected: true });
}
