import t from 'tap';
import { readCollector } from '../../../src/clients/metrics/otlp.js';

const read = (url, change = {}) => readCollector({ url, cwd: '/srv', env: {}, ...change });

t.test('the address of a collector', async (t) => {
  for (const [text, url] of [
    ['http://localhost:4318', 'http://localhost:4318/v1/metrics'],
    ['https://otlp.example.com/tenant/', 'https://otlp.example.com/tenant/v1/metrics'],
    ['http://localhost:4318/v1/metrics', 'http://localhost:4318/v1/metrics'],
    ['http://localhost:4318/?key=1', 'http://localhost:4318/v1/metrics?key=1'],
    ['env', null],
  ]) {
    t.same(read(text), { url, everyMs: 60_000, cwd: '/srv' }, text);
  }
  for (const text of ['', 'localhost', 'localhost:4317', 'ftp://localhost']) {
    t.throws(() => read(text), { code: 'E_OTLP_URL' }, text);
  }
});

t.test('how often', async (t) => {
  const env = { OTEL_METRIC_EXPORT_INTERVAL: '5000' };
  t.equal(read('env', { env }).everyMs, 5000);
  for (const interval of ['-1', 'often', '120000']) {
    t.equal(read('env', { env: { OTEL_METRIC_EXPORT_INTERVAL: interval } }).everyMs, 60_000);
  }
});
