/** Messages on a stream: JSON, one per line. Bytes are split into lines before they are decoded. */
import { NodeclusterError, attempt } from '../errors/error.js';
import { LineSplitter } from '../shared/line-splitter.js';

/** Of a line, without its newline. */
const MAX_BYTES = 4 * 1024 * 1024;

/** @param {object} message @returns {Buffer} one line @throws {NodeclusterError} E_PROTOCOL_FRAME_SIZE */
export function encodeFrame(message) {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  if (line.length > MAX_BYTES) refuse();
  return line;
}

/** @param {Buffer} line @returns {Record<string, unknown>} of JSON-RPC 2.0 @throws {NodeclusterError} E_PROTOCOL_FRAME */
function decodeFrame(line) {
  const message = attempt(() => JSON.parse(line.toString('utf8')), undefined);
  if (message?.jsonrpc !== '2.0') {
    throw new NodeclusterError('E_PROTOCOL_FRAME', { reason: 'not JSON-RPC 2.0' });
  }
  return message;
}

/** What reads the messages of one stream. It throws E_PROTOCOL_FRAME, or E_PROTOCOL_FRAME_SIZE if a line is too long. */
export function frameReader() {
  const splitter = new LineSplitter(MAX_BYTES, refuse);
  return function* (/** @type {Buffer} */ chunk) {
    for (const line of splitter.push(chunk)) yield decodeFrame(line);
  };
}

function refuse() {
  throw new NodeclusterError('E_PROTOCOL_FRAME_SIZE', { maxBytes: MAX_BYTES });
}
