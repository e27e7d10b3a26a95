/** The small programs inside texts: the health check of Compose, and what waits for a Service. */
import t from 'tap';
import { execFile } from 'node:child_process';
import http from 'node:http';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { exportOf, threeApps } from './three-apps.js';
import { blockOf } from '../../support/pages.js';
import { listening } from '../../support/listening.js';
import { freePort } from '../../support/ports.js';

const run = promisify(execFile);

t.test('the health check of Compose', async (t) => {
  let status = 200;
  const server = await listen(t, () => status);
  const compose = parse(blockOf('guides/containers.md', 'yaml'));
  const [, program, ...args] = compose.services.shop.healthcheck.test;
  t.equal(program, 'node');
  const words = args.map((word) => word.replace(':9464', `:${server.port}`));
  await t.resolves(run(process.execPath, words), 'ready');
  status = 503;
  await t.rejects(run(process.execPath, words), 'not ready');
  await server.close();
  await t.rejects(run(process.execPath, words), 'nothing listens');
});

t.test('the init container that waits for a Service', async (t) => {
  const { text } = exportOf(threeApps);
  const objects = parseAllDocuments(text).map((document) => document.toJS());
  const { spec } = objects.find(({ kind }) => kind === 'Deployment').spec.template;
  const [{ command, args }] = spec.initContainers;
  t.same(args, ['queue', '4000']);
  const port = await freePort();
  const child = run(process.execPath, [...command.slice(1), '127.0.0.1', String(port)]);
  const server = await listen(t, () => 200, port);
  await t.resolves(child);
  await server.close();
});

/** @param status of each reply */
async function listen(t, status, port = 0) {
  const server = http.createServer((_, reply) => reply.writeHead(status()).end());
  const place = { port, host: '127.0.0.1' };
  const close = () => new Promise((done) => server.close(done));
  return { port: await listening(t, server, place), close };
}
