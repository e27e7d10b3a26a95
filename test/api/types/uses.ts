// Compiled, never run: what a program may do with the interface, and what it may not.
import { connect, NodeclusterError, type Event, type Nodecluster, type Outcome } from 'nodecluster';

const client: Nodecluster = await connect({ home: '/srv/nodecluster', start: false });

const [outcome]: Outcome[] = await client.start({
  script: 'app.js',
  instances: 'max',
  wait_ready: true,
});
if (!outcome.ok) for (const { slot, reason } of outcome.failed) show(slot, reason);
await client.start('ecosystem.yml', { env: 'production', only: ['api'], prune: true });
await client.reload(['api', 'web:0'], { parallel: 2, onFailure: 'rollback' });
await client.scale('api', 4);
await client.scale('api', '+2');
const [{ sent }] = await client.send('all', { any: ['thing', null] });
const ids: number[] = sent;

for (const { name, workers } of await client.list({ telemetry: true })) {
  for (const { status, elu = null, latencyMs } of workers) {
    if (status === 'unresponsive') show(name, elu, latencyMs?.p99);
  }
}

for await (const event of client.events({ selectors: 'api' })) {
  if (event.type === 'worker.exited') show(event.slot, event.code, event.signal, event.lastLines);
  if (event.type === 'reload.ended') show(event.ok, event.durationMs);
  if (event.type === 'worker.event') show(event.name, event.data, event.dropped);
  if (event.type === 'missed') show(event.count);
  // @ts-expect-error not every event has it
  show(event.lastLines);
  // @ts-expect-error there is no such event
  if (event.type === 'app.exploded') break;
}

try {
  await client.stop('nobody');
} catch (error) {
  if (error instanceof NodeclusterError) show(error.code, error.hint, error.exitCode);
}
client.close();

// @ts-expect-error without a program there is nothing to start
await client.start({ name: 'api' });
// @ts-expect-error
await client.reload('api', { onFailure: 'panic' });
// @ts-expect-error
connect({ home: 7 });

declare function show(...values: unknown[]): void;
export type { Event };
