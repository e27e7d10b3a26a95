/** Messages on a stream: JSON, one per line. Bytes are split into lines before they are decoded. */
import { NodeclusterError, attempt } from '../errors/error.js';
import { LineSplitter } from '../shared/line-splitter.js';

/** In bytes. */
export const MAX_FRAME = 4 * 1024 * 1024;

/** @param {object} message @param {number} [maxBytes] @returns {Buffer} one line @throws {NodeclusterError} E_PROTOCOL_FRAME_SIZE */
export function encodeFrame(message, maxBytes = MAX_FRAME) {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  if (line.length > maxBytes) throw new NodeclusterError('E_PROTOCOL_FRAME_SIZE', { maxBytes });
  return line;
}

/** @param {Buffer} line @returns {Record<string, unknown>} of JSON-RPC 2.0 @throws {NodeclusterError} E_PROTOCOL_FRAME */
export function decodeFrame(line) {
  const message = attempt(() => JSON.parse(line.toString('utf8')), undefined);
  if (message?.jsonrpc !== '2.0') {
    throw new NodeclusterError('E_PROTOCOL_FRAME', { reason: 'not JSON-RPC 2.0' });
  }
  return message;
}

/** @param {number} [maxBytes] of a line, without its newline; a longer one throws E_PROTOCOL_FRAME_SIZE */
export function frameSplitter(maxBytes = MAX_FRAME) {
  return new LineSplitter(maxBytes, () => {
    throw new NodeclusterError('E_PROTOCOL_FRAME_SIZE', { maxBytes });
  });
}
