/** The table with what workers measure of themselves, as long as somebody watches. */
import t from 'tap';
import { inOrder, mergePatch } from '../../../src/shared/merge-patch.js';
import { startLoad } from '../../support/http-load.js';
import { until } from '../../support/until.js';
import { daemonUnderTest, webSpec } from '../daemon-under-test.js';

t.test('frames contain the telemetry of all workers, also of later ones', async (t) => {
  const { start, ask, dial } = daemonUnderTest(t);
  await start();
  const spec = await webSpec({ instances: 1 });
  await ask('start', { specs: [spec] });
  const load = startLoad(t, { port: Number(spec.env.PORT), clients: 2, keepAlive: false });
  const client = await dial();
  const frames = [];
  let state;
  const show = ({ seq, at, patch }) => {
    state = mergePatch(state, patch);
    frames.push({ seq, at, daemon: state.daemon, apps: inOrder(state) });
    t.equal(seq, frames.length);
  };
  client.request('watch', {}, { onNotification: (_name, frame) => show(frame) }).catch(() => {});
  const workersThat = (isSo) =>
    until(() => frames.at(-1)?.apps[0].workers.every(isSo) && frames.at(-1), 'such a frame');
  const serves = ({ requestsPerSecond, latencyMs, elu, eventLoopDelayMs, heapUsed }) =>
    requestsPerSecond > 0 && latencyMs && elu > 0 && eventLoopDelayMs && heapUsed > 0;
  const frame = await workersThat(serves);
  t.match(frame, { daemon: { pid: Number }, at: Number, apps: [{ name: 'web' }] });
  t.match(frame.apps[0].workers[0], {
    cpu: Number,
    memory: Number,
    connections: Number,
    errorsPerSecond: 0,
  });
  await ask('scale', { selector: 'web', instances: '2' });
  await workersThat((worker, _index, all) => all.length === 2 && serves(worker));
  const { failed } = await load.stop();
  t.equal(failed, 0);
  client.close();
});

t.test('list contains telemetry on request', async (t) => {
  const { start, ask } = daemonUnderTest(t);
  await start();
  await ask('start', { specs: [await webSpec({ instances: 1 })] });
  const plain = (await ask('list')).apps[0].workers[0];
  t.notOk('elu' in plain || 'cpu' in plain);
  const known = await until(async () => {
    const { apps } = await ask('list', { fields: ['vitals'] });
    const { elu, ...worker } = apps[0].workers[0];
    return elu !== undefined && worker;
  }, 'its event loop to be measured');
  t.match(known, {
    requestsPerSecond: 0,
    errorsPerSecond: 0,
    latencyMs: undefined,
    connections: 0,
  });
});
