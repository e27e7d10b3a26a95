'use strict';
/** Asks the program's own HTTP server whether it is healthy, when the primary says so. */
const { onMessage, send } = require('../../agent/channel.cjs');
const { clearTimeout, guarded, setTimeout } = require('../../agent/guard.cjs');
const { protocolOf } = require('../../agent/listening.cjs');
const { acceptOwn } = require('../../agent/servers.cjs');
const { Duplex } = require('node:stream');

/**
 * @import { Server } from 'node:net'
 * @import { Servers } from '../../agent/servers.cjs'
 */

/** Characters of a body that are reported. */
const MAX_BODY = 200;
/** More of a response is discarded. */
const MAX_BYTES = 8192;
const USER_AGENT = 'nodecluster-health';

/**
 * @typedef {object} Order
 * @property {string} path with its query
 * @property {string} host of the header
 * @property {number | null} port of the server; null: the first one that listens
 * @property {number} timeoutMs
 *
 * @typedef {{status: number, body: string} | {error: string}} Answer
 */

/** @param {Servers} servers of the program */
function start(servers) {
  onMessage('health', (message) => {
    ask(servers, /** @type {Order} */ (message), (answer) => send('health', answer));
  });
}

/** @param {Servers} servers @param {Order} order @param {(answer: Answer) => void} reply */
function ask(servers, order, reply) {
  const server = findServer(servers, order.port);
  const where = order.port === null ? '' : ` on port ${order.port}`;
  if (!server) return reply({ error: `no HTTP server listens${where}` });
  const isEncrypted = 'setSecureContext' in server;
  const isHttp2 = 'updateSettings' in server;
  const facts = { isEncrypted, isHttp2, port: portOf(server) };
  const { client, server: accepted } = newCheckConnection(facts);
  // If the program keeps the response open, the check has still ended.
  const timer = setTimeout(() => finish({ error: 'timeout' }), order.timeoutMs);
  timer.unref();
  let isAnswered = false;
  const finish = (/** @type {Answer} */ answer) => {
    if (!isAnswered) reply(answer);
    isAnswered = true;
    if ('error' in answer) client.destroy();
  };
  const closed = guarded(() => {
    clearTimeout(timer);
    finish({ error: 'closed' });
  });
  client.once('close', closed);
  try {
    acceptOwn(server, isEncrypted ? 'secureConnection' : 'connection', accepted);
    if (isHttp2) askOverHttp2(client, order, isEncrypted, finish);
    else askOverHttp(client, order, finish);
  } catch (error) {
    // Listeners of the program for new connections have run.
    finish({ error: String(error) });
  }
}

/** @param {Servers} servers @param {number | null} port */
function findServer({ listening }, port) {
  for (const server of listening)
    if (protocolOf(server) !== null && (port === null || portOf(server) === port)) return server;
}

/** @param {Server} server @returns {number} 0: a unix socket */
function portOf(server) {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * One request of HTTP/1.1, written by hand: node:http would show it to whatever in the program
 * watches or replaces its client (tracing, nock).
 * @param {Duplex} client
 * @param {{path: string, host: string}} order
 * @param {(answer: {status: number, body: string}) => void} finish called once or more
 */
function askOverHttp(client, { path, host }, finish) {
  let text = '';
  const onData = guarded((/** @type {Buffer} */ chunk) => {
    text += chunk.toString('latin1', 0, MAX_BYTES - text.length);
    const answer = readAnswer(text);
    // Of a failure, the body says why.
    const isComplete = answer && (answer.status < 400 || answer.body.length >= MAX_BODY);
    if (isComplete) finish(answer);
  });
  const onEnd = guarded(() => {
    const answer = readAnswer(text);
    if (answer) finish(answer);
    client.destroy();
  });
  client.on('data', onData).on('end', onEnd);
  client.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${USER_AGENT}\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
  );
}

/** @param {string} text @returns {{status: number, body: string} | null} null: not all headers yet */
function readAnswer(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = text.slice(0, end);
  const status = Number(/^HTTP\/1\.[01] ([0-9]{3})/.exec(head)?.[1] ?? 0);
  const rest = text.slice(end + 4);
  // 100 and 103 come before the response itself.
  if (status >= 100 && status < 200) return readAnswer(rest);
  const isChunked = /^transfer-encoding:.*chunked/im.test(head);
  // The marks of the chunks: it is only shown.
  const body = isChunked ? rest.replace(/(^|\r\n)[0-9a-f]+\r\n(\r\n$)?/gi, '') : rest;
  return { status, body: Buffer.from(body, 'latin1').toString('utf8').slice(0, MAX_BODY) };
}

/**
 * One request of HTTP/2. node:http2 is loaded only here: a program with such a server has loaded it.
 * @param {Duplex} client
 * @param {{path: string, host: string}} order
 * @param {boolean} isEncrypted
 * @param {(answer: {status: number, body: string}) => void} finish called once or more
 */
function askOverHttp2(client, { path, host }, isEncrypted, finish) {
  const origin = `${isEncrypted ? 'https' : 'http'}://${host}`;
  const session = require('node:http2').connect(origin, { createConnection: () => client });
  const destroy = guarded(() => client.destroy());
  session.on('error', destroy).once('close', destroy);
  const stream = session.request({ ':path': path, 'user-agent': USER_AGENT });
  let status = 0;
  let body = '';
  stream.on('error', destroy);
  const onResponse = guarded((/** @type {Record<string, unknown>} */ headers) => {
    status = Number(headers[':status']);
    if (status < 400) finish({ status, body });
  });
  const onData = guarded((/** @type {Buffer} */ chunk) => {
    if (body.length < MAX_BODY) body = (body + chunk.toString()).slice(0, MAX_BODY);
  });
  const onClose = guarded(() => {
    if (status > 0) finish({ status, body });
    session.close();
  });
  stream.on('response', onResponse).on('data', onData).once('close', onClose);
}

/**
 * A connection within this process, by which the agent asks the program's own server: node:http and
 * node:http2 accept any duplex stream. It occupies no port and no descriptor, and does not keep the
 * process alive. Programs see a client on the loopback interface.
 */
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
    const destroy = guarded(() => this.destroy());
    if (this.writableFinished) destroy();
    else this.once('finish', destroy);
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
  const destroy = guarded(() => server.destroy());
  client.once('close', destroy);
  return { client, server };
}

module.exports = { start };
