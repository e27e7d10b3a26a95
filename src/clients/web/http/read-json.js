/** Reads the JSON that a request carries, which is small. */
import { Refusal } from './respond.js';

/** @import { IncomingMessage } from 'node:http' */

const MAX_BYTES = 16 * 1024;

/**
 * @param {IncomingMessage} request
 * @returns {Promise<Record<string, unknown>>}
 * @throws {Refusal}
 */
export async function readJson(request) {
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Refusal(415, 'The request must be application/json.');
  }
  const value = parse(await readBody(request));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'The request is not a JSON object.');
  }
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * What is too much is read and dropped: a client that is still sending would not see the answer.
 * @param {IncomingMessage} request
 */
async function readBody(request) {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BYTES) throw new Refusal(413, 'The request is too large.');
  return Buffer.concat(chunks).toString();
}

/** @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The request is not valid JSON.');
  }
}
