'use strict';
/**
 * node:cluster's own listeners keep the channel referenced, so a program with nothing left to do
 * would never exit. Under plain `node` it does. But while a listen or a bind waits for the
 * primary's reply, nothing else may be keeping the process alive.
 */
const { newProcessHold } = require('../process-hold.cjs');

module.exports = { holdWhileListening };

/** @param {any} cluster node:cluster @param {(server: any) => void} onListen called before each request of a socket */
function holdWhileListening(cluster, onListen) {
  unreferenceChannel();
  const { hold, release } = newProcessHold();
  let waiting = 0;
  const { _getServer: request } = cluster;
  // node:net and node:dgram call it by this name (Node 20 to 26).
  cluster._getServer = (
    /** @type {any} */ server,
    /** @type {unknown} */ options,
    /** @type {Function} */ callback,
  ) => {
    onListen(server);
    waiting += 1;
    hold();
    request(server, options, (/** @type {unknown[]} */ ...reply) => {
      waiting -= 1;
      if (waiting === 0) release();
      callback(...reply);
    });
  };
}

function unreferenceChannel() {
  const channel = /** @type {any} */ (process.channel);
  const count = process.listenerCount('message') + process.listenerCount('disconnect');
  for (let index = 0; index < count; index++) channel?.unrefCounted?.();
}
