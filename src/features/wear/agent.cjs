'use strict';
/**
 * Counts the requests that the program has answered, while `max_requests` limits them, and reports
 * once when they are that many.
 */
const diagnostics = require('node:diagnostics_channel');
/** The program may replace the globals. */
const { setImmediate } = require('node:timers');
const { onMessage, send } = require('../../agent/channel.cjs');
const { isOfAgent } = require('../../agent/servers.cjs');

/**
 * @import { Http2Session } from 'node:http2'
 * @import { ServerFeature } from '../agent.cjs'
 * @import { Servers } from '../../agent/servers.cjs'
 */

const FINISHED = 'http.server.response.finish';

class RequestLimit {
  #servers;
  #limit = Infinity;
  #count = 0;
  #isCounting = false;

  /** @param {Servers} servers */
  constructor(servers) {
    this.#servers = servers;
  }

  /** @param {number | null} limit null: none */
  set(limit) {
    this.#limit = limit ?? Infinity;
    if (limit !== null && !this.#isCounting) this.#start();
    if (limit === null && this.#isCounting) this.#stop();
  }

  #start() {
    this.#isCounting = true;
    diagnostics.subscribe(FINISHED, this.#onAnswered);
    for (const session of this.#servers.http2Sessions) this.#watch(session);
    this.#servers.onSession.add(this.#watch);
  }

  #stop() {
    this.#isCounting = false;
    diagnostics.unsubscribe(FINISHED, this.#onAnswered);
    this.#servers.onSession.delete(this.#watch);
    for (const session of this.#servers.http2Sessions) session.off('stream', this.#onAnswered);
  }

  #watch = (/** @type {Http2Session} */ session) => {
    session.on('stream', this.#onAnswered);
  };

  #onAnswered = (/** @type {any} */ { socket }) => {
    if (isOfAgent(socket)) return;
    this.#count += 1;
    if (this.#count < this.#limit) return;
    send('worn', { requests: this.#count });
    this.#limit = Infinity;
    // Not from within the channel that publishes.
    setImmediate(() => this.#isCounting && this.#stop());
  };
}

/** @type {ServerFeature['start']} */
function start(servers) {
  const requestLimit = new RequestLimit(servers);
  onMessage('limit-requests', ({ limit }) => requestLimit.set(limit));
}

module.exports = { start };
