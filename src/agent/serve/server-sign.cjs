'use strict';
/** Whether the program looks like a server, although it does not listen yet. */
const { onMessage, send } = require('../channel.cjs');

/** @import { ServerSign } from '../../lifecycle/readiness.js' */

module.exports = { answerServerSign };

/**
 * Packages that only servers load. Not `ws`, which clients use as well, nor `@nestjs/core`, whose
 * application contexts do not listen: Nest loads one of these before it does.
 */
const FRAMEWORKS =
  /[\\/]node_modules[\\/](express|fastify|koa|next|@hapi[\\/]hapi|restify|socket\.io|polka|@hono[\\/]node-server|@apollo[\\/]server)[\\/]/;
/** What node:http loads, however the program did. */
const HTTP = 'NativeModule _http_server';

/** Replies to the primary, which asks once if the program has not listened for a while. */
function answerServerSign() {
  onMessage('server-sign', () => send('server-sign', { sign: findSign() }));
}

/** @returns {ServerSign} */
function findSign() {
  if (Object.keys(require.cache).some((file) => FRAMEWORKS.test(file))) return 'framework';
  const { moduleLoadList = [] } = /** @type {{moduleLoadList?: string[]}} */ (
    /** @type {unknown} */ (process)
  );
  return moduleLoadList.includes(HTTP) ? 'http' : 'none';
}
