'use strict';
// A web server as somebody might have one: it works a little, writes about it, and has its moods.
// CRASH_SLOT: the worker that cannot start. START_MS: how long a start takes. GET /block: hangs.
const http = require('node:http');

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

const { PORT, CRASH_SLOT, NODE_APP_INSTANCE: slot, START_MS = '0' } = process.env;
const pages = ['/', '/cart', '/checkout', '/search?q=lamp', '/orders/1042', '/login'];
const blockMs = 600_000;
let count = 0;

/** @param {number} ms */
function work(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function answer(request, response) {
  if (request.url === '/block') work(blockMs);
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
