/** Libraries that leave work to a primary of the program's own. Here nobody does it, and their messages are the only sign. */

/** @type {{isOf: (message: Record<string, unknown>) => boolean, note: string}[]} */
const LIBRARIES = [
  {
    isOf: ({ topic }) => topic === 'log4js:message',
    note:
      'log4js sends its lines to a primary of its own, and what it sends is lost (with `pm2: true`, worker 0 writes its own). ' +
      'Set `disableClustering: true` in log4js.configure(), or start it with `--exec-mode fork`',
  },
  {
    isOf: ({ channel }) => channel === 'rate_limiter_flexible',
    note:
      'RateLimiterCluster waits for a primary of its own and counts nothing. ' +
      'Use RateLimiterMemory in each worker, or RateLimiterRedis for all',
  },
  {
    isOf: ({ from, requestId }) => from === 'cluster-memory-store' && requestId !== undefined,
    note:
      'the cluster-memory-store of express-rate-limit waits for a primary of its own and counts nothing. ' +
      'Use its MemoryStore in each worker, or rate-limit-redis for all',
  },
  {
    isOf: ({ source, nsp }) => source === '_sio_adapter' && nsp !== undefined,
    note:
      '@socket.io/cluster-adapter reaches only the clients of one worker: it needs a primary of its own. ' +
      'Use @socket.io/redis-adapter',
  },
];

/** @param {string} place in the program that asks whether it is a primary @returns {string} what is not done, and what to type */
export function noteAsked(place) {
  return `${place} asks for cluster.isPrimary, which is false in each worker: what it leaves to a primary is not done. Run that as a program of its own, or start this one with \`--exec-mode fork\``;
}

/** What is not done, and what to type; null: it is not known to be such a message. @param {unknown} message to the parent */
export function noteLeftWork(message) {
  return LIBRARIES.find(({ isOf }) => isOf(Object(message)))?.note ?? null;
}
