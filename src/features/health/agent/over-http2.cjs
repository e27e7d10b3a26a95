'use strict';
/** One request of HTTP/2. node:http2 is loaded only here: a program with such a server has loaded it. */
const { MAX_BODY, USER_AGENT } = require('./over-http.cjs');

/** @import { Duplex } from 'node:stream' */

module.exports = { askOverHttp2 };

/**
 * @param {Duplex} client
 * @param {{path: string, host: string}} order
 * @param {boolean} isEncrypted
 * @param {(answer: {status: number, body: string}) => void} finish called once or more
 */
function askOverHttp2(client, { path, host }, isEncrypted, finish) {
  const origin = `${isEncrypted ? 'https' : 'http'}://${host}`;
  const session = require('node:http2').connect(origin, { createConnection: () => client });
  session.on('error', () => client.destroy());
  session.once('close', () => client.destroy());
  const stream = session.request({ ':path': path, 'user-agent': USER_AGENT });
  let status = 0;
  let body = '';
  stream.on('error', () => client.destroy());
  stream.on('response', (headers) => {
    status = Number(headers[':status']);
    if (status < 400) finish({ status, body });
  });
  stream.on('data', (chunk) => {
    if (body.length < MAX_BODY) body = (body + chunk.toString()).slice(0, MAX_BODY);
  });
  stream.once('close', () => {
    if (status > 0) finish({ status, body });
    session.close();
  });
}
