/** Each request takes 5 ms, and SIGTERM is noticed. */
const { createServer } = require('node:http');

createServer((request, response) => setTimeout(() => response.end(`${process.pid}\n`), 5)).listen(
  process.env.PORT ?? 21010,
);
process.on('SIGTERM', () => {
  console.log('draining');
  setTimeout(() => process.exit(0), 300);
});
