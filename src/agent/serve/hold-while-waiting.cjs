'use strict';
/**
 * node:cluster's own listeners keep the channel referenced, so a program with nothing left to do
 * would never exit. Under plain `node` it does. But while a listen, a bind or a disconnect waits for the
 * primary's reply, nothing else may be keeping the process alive.
 */
const { newProcessHold } = require('../process-hold.cjs');

module.exports = { holdWhileWaiting };

/** @param {any} cluster node:cluster @param {(server: any) => void} onListen called before each request of a socket */
function holdWhileWaiting(cluster, onListen) {
  unreferenceChannel();
  const { hold, release } = newProcessHold();
  let waiting = 0;
  const begin = () => {
    waiting += 1;
    hold();
  };
  const end = () => {
    waiting -= 1;
    if (waiting === 0) release();
  };
  const { _getServer: request, worker } = cluster;
  // node:net and node:dgram call it by this name (Node 20 to 26).
  cluster._getServer = (
    /** @type {any} */ server,
    /** @type {unknown} */ options,
    /** @type {Function} */ callback,
  ) => {
    onListen(server);
    begin();
    request(server, options, (/** @type {unknown[]} */ ...reply) => {
      end();
      callback(...reply);
    });
  };
  const { disconnect } = worker;
  worker.disconnect = () => {
    if (worker.isConnected()) {
      begin();
      worker.once('disconnect', end);
    }
    return disconnect.call(worker);
  };
}

function unreferenceChannel() {
  const channel = /** @type {any} */ (process.channel);
  const count = process.listenerCount('message') + process.listenerCount('disconnect');
  for (let index = 0; index < count; index++) channel?.unrefCounted?.();
}
