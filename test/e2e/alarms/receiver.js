/** A server that alarms post to. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listening } from '../../support/listening.js';

/** @param statusOf its answer to request number `count`; null: none */
export async function receiver(t, statusOf = () => 200) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const { url, headers } = request;
    requests.push({ url, headers, body: await json(request) });
    const status = statusOf(url, requests.length);
    if (status !== null) response.writeHead(status).end();
  });
  return { requests, address: `http://127.0.0.1:${await listening(t, server)}` };
}
