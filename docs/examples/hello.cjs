/** A plain HTTP server. Start it with `nodecluster start hello.cjs -i max`. */
const { createServer } = require('node:http');

const port = Number(process.env.PORT ?? 3000);

createServer((_request, response) => {
  response.end(`Hello from worker ${process.pid}\n`);
}).listen(port);
