'use strict';
/** The program may replace the globals. */
const { clearTimeout, setTimeout } = require('node:timers');

/** @import { Http2Session } from 'node:http2' */

const PING_TIMEOUT_MS = 1000;
/** For the streams that a client opens together with its first one. */
const FIRST_STREAMS_MS = 100;
/** A client that opens a session has a request, but it may be slow. */
const NO_STREAM_MS = 5000;
/** A client that has been answered may send its next request at any moment, or none. */
const IDLE_MS = 500;
const NO_ERROR = 0;
const LAST_STREAM = 2 ** 31 - 1;

module.exports = { goAway };

/**
 * nghttp2 ignores a stream that arrives after any GOAWAY of its own, so the best moment for one is when a
 * request has just arrived: the client waits for its response. One that has just connected may first send
 * all requests for which it did.
 * @param {Http2Session} session
 */
function goAway(session) {
  if (session.destroyed || hasOpenStreams(session)) return closeInTwoSteps(session);
  const isNew = session.state.lastProcStreamID === 0;
  const timer = setTimeout(closeInTwoSteps, isNew ? NO_STREAM_MS : IDLE_MS, session);
  session.once('stream', () => {
    clearTimeout(timer);
    if (isNew) setTimeout(closeInTwoSteps, FIRST_STREAMS_MS, session);
    else closeInTwoSteps(session);
  });
  session.once('close', () => clearTimeout(timer));
}

/**
 * The list exists on Node 20 to 26. Without it, a session with open streams is taken for an idle one.
 * @param {Http2Session} session
 */
function hasOpenStreams(session) {
  const key = Object.getOwnPropertySymbols(session).find(
    ({ description }) => description === 'state',
  );
  return key !== undefined && /** @type {any} */ (session)[key]?.streams?.size > 0;
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
