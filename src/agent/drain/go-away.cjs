'use strict';
/** The program may replace the globals. */
const { clearTimeout, setTimeout } = require('node:timers');

/** @import { Http2Session } from 'node:http2' */

const PING_TIMEOUT_MS = 1000;
/** For the streams that a client opens together with its first one. */
const FIRST_STREAMS_MS = 100;
/** A client that opens a session has a request, but it may be slow. */
const NO_STREAM_MS = 5000;
const NO_ERROR = 0;
const LAST_STREAM = 2 ** 31 - 1;

module.exports = { goAway };

/**
 * nghttp2 ignores a stream that arrives after its GOAWAY, so a client that has just connected may
 * first send the request for which it did.
 * @param {Http2Session} session
 */
function goAway(session) {
  if (session.destroyed || session.state.lastProcStreamID !== 0) return closeInTwoSteps(session);
  const timer = setTimeout(closeInTwoSteps, NO_STREAM_MS, session);
  session.once('stream', () => {
    clearTimeout(timer);
    setTimeout(closeInTwoSteps, FIRST_STREAMS_MS, session);
  });
  session.once('close', () => clearTimeout(timer));
}

/**
 * Closes an HTTP/2 session in the two steps of RFC 9113, 6.8: a GOAWAY that names no stream tells
 * the client to open no more, and a PING confirms that it arrived; only then is the session closed.
 * In one step, a stream that the client opens at that moment would be refused.
 * @param {Http2Session} session
 */
function closeInTwoSteps(session) {
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
