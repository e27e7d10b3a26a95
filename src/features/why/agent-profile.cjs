'use strict';
/** Records what the worker does until the primary asks for it. What is then written is whole, or not there. */
const fs = require('node:fs');
const { send } = require('../../agent/channel.cjs');
const guard = require('../../agent/guard.cjs');
const { httpSockets } = require('../../agent/http-sockets.cjs');

const { attempt, clearTimeout, guarded, setImmediate, setTimeout } = guard;

/**
 * @import { Session } from 'node:inspector'
 * @import { TrackedServer } from '../../agent/servers.cjs'
 *
 * @typedef {(part: string | null) => void} Write ends the recording, and writes it into that file; null: nobody wants it
 */

const MAX_REASON = 200;
/** @type {{file: string, write: Write, timer: NodeJS.Timeout} | null} */
let recording = null;
/** A program that ends, such as a job, ends its profile. */
const saveAtExit = guarded(() => finish(true));

/** @param {Record<string, any>} order @param {Iterable<TrackedServer>} servers */
function begin({ kind, file, leaseMs }, servers) {
  const outcome = outcomeOf(() => {
    if (recording !== null) throw new Error('another command profiles it');
    const write = kind === 'heap' ? recordHeap(servers) : recordCpu();
    const timer = setTimeout(() => finish(false), leaseMs).unref();
    recording = { file, write, timer };
    process.once('exit', saveAtExit);
  });
  send('profile', outcome);
}

/** @param {Record<string, any>} order */
function end({ isWanted }) {
  const outcome = outcomeOf(() => finish(isWanted));
  send('end-profile', outcome);
}

/** @param {() => void} run @returns {{error?: string}} */
function outcomeOf(run) {
  try {
    run();
    return {};
  } catch (error) {
    return { error: String(/** @type {any} */ (error)?.message).slice(0, MAX_REASON) };
  }
}

/** @param {boolean} isWanted */
function finish(isWanted) {
  if (recording === null) throw new Error('nothing was recorded');
  const { file, write, timer } = recording;
  recording = null;
  clearTimeout(timer);
  process.off('exit', saveAtExit);
  if (!isWanted) return write(null);
  const part = `${file}.part`;
  try {
    write(part);
    fs.renameSync(part, file);
  } catch (error) {
    attempt(() => fs.rmSync(part, { force: true }));
    throw error;
  }
}

/** @returns {Write} */
function recordCpu() {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  ask(session, 'Profiler.enable');
  ask(session, 'Profiler.start');
  return (part) => {
    const { profile } = ask(session, 'Profiler.stop');
    session.disconnect();
    if (part !== null) fs.writeFileSync(part, JSON.stringify(profile), { mode: 0o600 });
  };
}

/** @param {Session} session @param {string} method @returns {any} its reply, which comes at once */
function ask(session, method) {
  /** @type {unknown} */
  let failure;
  let result;
  session.post(method, (error, value) => {
    failure = error;
    result = value;
  });
  if (failure) throw failure;
  return result;
}

/** @param {Iterable<TrackedServer>} servers @returns {Write} */
function recordHeap(servers) {
  return (part) => {
    if (part === null) return;
    const release = keepIdleOpen(servers);
    try {
      require('node:v8').writeHeapSnapshot(part);
    } finally {
      setImmediate(release);
    }
  };
}

/** Node would close idle connections as soon as the blocked loop turns, also with a request. @param {Iterable<TrackedServer>} servers */
function keepIdleOpen(servers) {
  const releases = [...servers].map((/** @type {any} */ server) => {
    const { keepAliveTimeout } = server;
    // For connections whose responses end before it is blocked.
    if (keepAliveTimeout !== undefined) server.keepAliveTimeout = 0;
    const kept = httpSockets(server).filter(({ timeout = 0 }) => timeout > 0);
    const timeouts = kept.map(({ timeout = 0 }) => timeout);
    for (const socket of kept) socket.setTimeout(0);
    return () => {
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      kept.forEach((socket, index) => {
        // With a request, the server has set its own.
        if (socket.timeout === 0 && !socket._httpMessage) socket.setTimeout(timeouts[index]);
      });
    };
  });
  return () => releases.forEach((release) => release());
}

module.exports = { begin, end };
