'use strict';
/** The program may replace the globals. */
const { clearTimeout, setTimeout } = require('node:timers');

/** @import { Http2Session } from 'node:http2' */

const PING_TIMEOUT_MS = 1000;
const NO_ERROR = 0;
const LAST_STREAM = 2 ** 31 - 1;

module.exports = { goAway };

/**
 * Closes an HTTP/2 session in the two steps of RFC 9113, 6.8: a GOAWAY that names no stream tells
 * the client to open no more, and a PING confirms that it arrived; only then is the session closed.
 * In one step, a stream that the client opens at that moment would be refused.
 * @param {Http2Session} session
 */
function goAway(session) {
  if (session.closed || session.destroyed) return;
  const close = () => {
    clearTimeout(timer);
    if (!session.closed && !session.destroyed) session.close();
  };
  const timer = setTimeout(close, PING_TIMEOUT_MS);
  try {
    session.goaway(NO_ERROR, LAST_STREAM);
    if (!session.ping(close)) close();
  } catch {
    close();
  }
}
