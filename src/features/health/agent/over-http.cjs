'use strict';
/**
 * One request of HTTP/1.1, written by hand: node:http would show it to whatever in the program
 * watches or replaces its client (tracing, nock).
 */
/** @import { Duplex } from 'node:stream' */

/** Characters of a body that are reported. */
const MAX_BODY = 200;
/** More of a response is discarded. */
const MAX_BYTES = 8192;
const USER_AGENT = 'nodecluster-health';

module.exports = { askOverHttp, MAX_BODY, USER_AGENT };

/**
 * @param {Duplex} client
 * @param {{path: string, host: string}} order
 * @param {(answer: {status: number, body: string}) => void} finish called once or more
 */
function askOverHttp(client, { path, host }, finish) {
  let text = '';
  client.on('data', (chunk) => {
    text += chunk.toString('latin1', 0, MAX_BYTES - text.length);
    const answer = readAnswer(text);
    // Of a failure, the body says why.
    const isComplete = answer && (answer.status < 400 || answer.body.length >= MAX_BODY);
    if (isComplete) finish(answer);
  });
  client.on('end', () => {
    const answer = readAnswer(text);
    if (answer) finish(answer);
    client.destroy();
  });
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
