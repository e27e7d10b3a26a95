/**
 * Reads a stream of server-sent events with `fetch`: unlike EventSource it sends the key in a header
 * and says why a stream was refused.
 */
import { keyHeaders } from './session.js';

/**
 * @typedef {{name: string, data: any}} StreamEvent
 *
 * @typedef {object} StreamEnd
 * @property {boolean} isDenied the session is over
 * @property {string} text why it ended
 */

/**
 * @param {string} url
 * @param {string} key of the session
 * @param {(event: StreamEvent) => void} onEvent
 * @param {AbortSignal} signal closes the stream
 * @returns {Promise<StreamEnd>} when the stream has ended
 */
export async function readStream(url, key, onEvent, signal) {
  try {
    const response = await fetch(url, { headers: keyHeaders(key), signal });
    if (!response.ok || response.body === null) {
      return { isDenied: response.status === 401, text: await response.text() };
    }
    const parse = eventParser(onEvent);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) parse(part.value);
    return { isDenied: false, text: 'The server closed the stream.' };
  } catch (error) {
    return { isDenied: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @param {(event: StreamEvent) => void} onEvent
 * @returns {(text: string) => void} gets the stream in pieces of any size
 */
function eventParser(onEvent) {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) onEvent(event);
    }
  };
}

/** @param {string} block @returns {StreamEvent | null} null: a comment */
function parseBlock(block) {
  let name = 'message';
  const data = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return data.length > 0 ? { name, data: JSON.parse(data.join('\n')) } : null;
}
