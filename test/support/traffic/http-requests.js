/** HTTP/1.1 and HTTP/2 requests that succeed only if every byte of the answer arrives. */
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';

/** @import { Writable } from 'node:stream' */

const PIECES = 5;
/** RFC 9113, 6.8: a GOAWAY with this as its last stream refuses no stream. */
const ANY_STREAM = 2 ** 31 - 1;
const PIECE = 'x'.repeat(1000);
const BODY = { 'content-type': 'text/plain', 'content-length': PIECES * PIECE.length };

/**
 * @param {number} port
 * @param {{secure?: boolean, keepAlive?: boolean}} [options]
 */
export function http1Requests(port, { secure = false, keepAlive = true } = {}) {
  const { Agent, request } = secure ? https : http;
  const agent = new Agent({ keepAlive, rejectUnauthorized: false });
  /** @param {string} id @param {string} path @param {object} [headers] */
  const begin = (id, path, headers = {}) => {
    const length = path === '/body' ? BODY : {};
    return request({
      ...{ host: '127.0.0.1', port, path, agent, method: path === '/body' ? 'POST' : 'GET' },
      headers: { 'x-request-id': id, ...length, ...headers },
    });
  };
  /** @param {string} path @param {string} expected */
  const get = (path, expected) => (/** @type {string} */ id) => {
    const asked = begin(id, path);
    asked.end();
    return answered(asked, id, expected);
  };
  return {
    close: () => agent.destroy(),
    get,
    requests: {
      /** @param {string} id sends a body in pieces */
      post: (id) => {
        const asked = begin(id, '/body');
        sendPieces(asked, PIECES);
        return answered(asked, id, String(PIECES * PIECE.length));
      },
      /** @param {string} id sends the body only after `100 Continue` */
      continue: (id) => {
        const asked = begin(id, '/body', { expect: '100-continue' });
        asked.once('continue', () => sendPieces(asked, PIECES));
        asked.flushHeaders();
        return answered(asked, id, String(PIECES * PIECE.length));
      },
      chunks: get('/chunks', 'piece\n'.repeat(PIECES)),
      events: get('/events', 'data: piece\n\n'.repeat(PIECES)),
    },
  };
}

/**
 * A strict client: one session at a time, and no new stream after a GOAWAY. A stream that the server
 * refuses, resets or closes early is a failure. A stream that Node's own client did not send is sent
 * on another session: it was opened in the same turn of the event loop in which a GOAWAY arrived
 * that refuses no stream, and the client itself refuses it, then or at the second GOAWAY.
 * @param {number} port
 * @param {{secure?: boolean}} [options]
 */
export function http2Requests(port, { secure = false } = {}) {
  const url = `${secure ? 'https' : 'http'}://127.0.0.1:${port}`;
  /** @type {http2.ClientHttp2Session | null} */
  let session = null;
  /** @type {WeakSet<http2.ClientHttp2Session>} sessions whose server sent GOAWAY in two steps */
  const warned = new WeakSet();
  const current = () => {
    if (session && !session.closed && !session.destroyed) return session;
    const opened = http2.connect(url, { rejectUnauthorized: false });
    const leave = () => (session === opened ? (session = null) : undefined);
    opened.once('goaway', (_code, last) => last === ANY_STREAM && warned.add(opened));
    opened.on('goaway', leave).on('close', leave);
    opened.on('error', () => {}); // every stream of it fails
    session = opened;
    return opened;
  };
  /** @type {(path: string, expected: string) => (id: string) => Promise<unknown>} */
  const ask = (path, expected) => async (id) => {
    const method = path === '/body' ? 'POST' : 'GET';
    const headers = { ':path': path, ':method': method, 'x-request-id': id };
    const used = current();
    const stream = used.request(headers, { endStream: method === 'GET' });
    if (method === 'POST') sendPieces(stream, PIECES);
    try {
      return await streamAnswered(stream, expected);
    } catch (error) {
      const isRefused = stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM;
      const wasUnsent = isRefused && warned.has(used);
      if (!wasUnsent) throw error;
      return ask(path, expected)(id);
    }
  };
  return {
    close: () => session?.close(),
    requests: {
      post: ask('/body', String(PIECES * PIECE.length)),
      chunks: ask('/chunks', 'piece\n'.repeat(PIECES)),
      events: ask('/events', 'data: piece\n\n'.repeat(PIECES)),
    },
  };
}

/** @param {Writable} stream @param {number} count */
function sendPieces(stream, count) {
  if (stream.destroyed) return;
  stream.write(PIECE);
  if (count === 1) stream.end();
  else setTimeout(() => sendPieces(stream, count - 1), 10);
}

/** @param {http.ClientRequest} asked @param {string} id @param {string} expected */
function answered(asked, id, expected) {
  return new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode, headers } = response;
        const isRight = statusCode === 200 && headers['x-request-id'] === id && body === expected;
        if (isRight) resolve(undefined);
        else reject(new Error(`${statusCode} ${JSON.stringify(body)}`));
      });
    });
  });
}

/** @param {http2.ClientHttp2Stream} stream @param {string} expected */
function streamAnswered(stream, expected) {
  return new Promise((resolve, reject) => {
    let body = '';
    stream.setEncoding('utf8').on('data', (text) => (body += text));
    stream.on('error', reject);
    stream.on('close', () => {
      const { rstCode } = stream;
      if (rstCode === 0 && body === expected) resolve(undefined);
      else reject(new Error(`ended with code ${rstCode} and ${JSON.stringify(body)}`));
    });
  });
}
