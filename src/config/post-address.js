/** Where an alarm may post to. */

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * An event contains the last lines of a program, and a header a token, so they are not sent in the clear
 * through a network.
 * @param {string} text
 * @returns {URL | null} null: it is not a URL of https, or of http on this machine
 */
export function postAddress(text) {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname) ? url : null;
}
