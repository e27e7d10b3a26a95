'use strict';
/**
 * Whether a proxy holds the connections to the program: it reuses one just when Node closes it, and
 * answers 502.
 */
const { send } = require('../channel.cjs');

const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];

class ProxySign {
  #isReported = false;

  /** @param {any} message of a request; a library may publish anything */
  look({ request, server }) {
    if (this.#isReported) return;
    const headers = request?.headers ?? {};
    const header = PROXY_HEADERS.find((name) => headers[name] !== undefined);
    if (header === undefined) return;
    this.#isReported = true;
    send('proxied', { header, keepAliveMs: server?.keepAliveTimeout });
  }
}

module.exports = { ProxySign };
