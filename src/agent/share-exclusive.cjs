'use strict';
/**
 * What listens with `exclusive: true` bypasses node:cluster, so only one worker could have its port, and no
 * replacement could listen beside the old one. srvx sets it for every server, and so does h3 2, which uses it.
 */
const net = require('node:net');
const { send } = require('./channel.cjs');

module.exports = { shareExclusive };

function shareExclusive() {
  const { listen } = net.Server.prototype;
  /** @this {net.Server} @param {any[]} args */
  const value = function (...args) {
    return Reflect.apply(listen, this, withoutExclusive(args));
  };
  Object.defineProperties(value, { name: { value: 'listen' }, length: { value: listen.length } });
  Object.defineProperty(net.Server.prototype, 'listen', {
    configurable: true,
    writable: true,
    value,
  });
}

/**
 * Not port 0 and unix sockets, which may be meant for this process alone.
 * @param {any[]} args of a `listen`
 */
function withoutExclusive(args) {
  const [options, ...others] = args;
  const { exclusive, reusePort, port } = options ?? {};
  if (!exclusive || reusePort || !(Number(port) > 0)) return args;
  send('shares');
  // The object is the program's, and may inherit its port.
  return [Object.create(options, { exclusive: { value: false, writable: true } }), ...others];
}
