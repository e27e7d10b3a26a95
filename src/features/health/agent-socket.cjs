'use strict';
/**
 * A connection within this process, by which the agent asks the program's own server: node:http and
 * node:http2 accept any duplex stream. It occupies no port and no descriptor, and does not keep the
 * process alive. Programs see a client on the loopback interface.
 */
const { Duplex } = require('node:stream');

module.exports = { newCheckConnection };

class CheckSocket extends Duplex {
  /** @type {CheckSocket | null} the other end */
  peer = null;
  /** Continues a write that waits until the other end has read. @type {(() => void) | null} */
  #resume = null;
  #hasEnded = false;

  /** @param {object} facts that a program may ask a socket for */
  constructor(facts) {
    super({ allowHalfOpen: true });
    Object.assign(this, facts);
  }

  _read() {
    const { peer } = this;
    const resume = peer && peer.#takeResume();
    resume?.();
  }

  #takeResume() {
    const resume = this.#resume;
    this.#resume = null;
    return resume;
  }

  /** @param {Buffer} chunk @param {string} _encoding @param {() => void} callback */
  _write(chunk, _encoding, callback) {
    const { peer } = this;
    if (!peer || peer.destroyed || peer.push(chunk)) callback();
    else this.#resume = callback;
  }

  /** @param {() => void} callback */
  _final(callback) {
    this.#endPeer();
    callback();
  }

  /** @param {Error | null} error @param {(error: Error | null) => void} callback */
  _destroy(error, callback) {
    this.#endPeer();
    callback(error);
  }

  #endPeer() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.peer && !this.peer.destroyed) this.peer.push(null);
  }

  destroySoon() {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  address() {
    return { address: '127.0.0.1', family: 'IPv4', port: 0 };
  }

  /** What a program may ask a TLS socket for; it has no certificate of the client. */
  getPeerCertificate() {
    return {};
  }

  getProtocol() {
    return 'TLSv1.3';
  }

  getCipher() {
    const name = 'TLS_AES_256_GCM_SHA384';
    return { name, standardName: name, version: this.getProtocol() };
  }

  isSessionReused() {
    return false;
  }

  resetAndDestroy() {
    return this.destroy();
  }
}

/** What a program may set, and what changes nothing here. */
for (const name of ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref']) {
  Object.defineProperty(CheckSocket.prototype, name, {
    value() {
      return this;
    },
  });
}

/**
 * @param {{isEncrypted: boolean, isHttp2: boolean, port: number}} server
 * @returns {{client: Duplex, server: Duplex}} the two ends
 */
function newCheckConnection({ isEncrypted, isHttp2, port }) {
  const alpnProtocol = isHttp2 ? 'h2' : 'http/1.1';
  const client = new CheckSocket({});
  const server = new CheckSocket({
    remoteAddress: '127.0.0.1',
    remoteFamily: 'IPv4',
    remotePort: 0,
    localAddress: '127.0.0.1',
    localPort: port,
    // What the server's own TLS layer would have set.
    ...(isEncrypted && { encrypted: true, authorized: false, alpnProtocol }),
  });
  client.peer = server;
  server.peer = client;
  // The other end of an aborted check may still write.
  for (const end of [client, server]) end.on('error', () => {});
  client.once('close', () => server.destroy());
  return { client, server };
}
