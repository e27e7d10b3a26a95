'use strict';
// A web server that works a little and logs some of its requests. CRASH_SLOT: the worker that
// crashes when it starts. START_MS: how long it takes to start.
const http = require('node:http');

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

const { PORT, CRASH_SLOT, START_MS = '0', NODE_APP_INSTANCE: slot } = process.env;
const pages = ['/', '/cart', '/checkout', '/search?q=lamp', '/orders/1042', '/login'];
let count = 0;

/** @param {number} ms */
function work(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/**
 * @param {IncomingMessage} _request
 * @param {ServerResponse} response
 */
function answer(_request, response) {
  const began = performance.now();
  work(Math.random() * 2);
  count += 1;
  const isBad = count % 97 === 0;
  setTimeout(
    () => {
      response.statusCode = isBad ? 500 : 200;
      response.end('done\n');
      const ms = (performance.now() - began).toFixed(0);
      const page = pages[count % pages.length];
      if (isBad) console.error(`GET ${page} 500 Error: timeout of the payment service`);
      else if (count % 5 === 0) console.log(`GET ${page} 200 ${ms} ms`);
    },
    3 + Math.random() * 12,
  );
}

if (slot === CRASH_SLOT) throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
setTimeout(() => http.createServer(answer).listen(Number(PORT)), Number(START_MS));
