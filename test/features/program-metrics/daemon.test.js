import t from 'tap';
import { programMetrics } from '../../../src/features/program-metrics/daemon.js';
import { NodeclusterError } from '../../../src/errors/error.js';

const familyOf = (name, count) => ({
  ...{ name, type: 'counter', help: '' },
  samples: Array.from({ length: count }, (_, index) => ['', { index: String(index) }, 1]),
});
const replyWith = (...families) => ({ families, failure: null });
const appWith = (name, reply) => ({
  name,
  link: { state: 'connected', request: async () => reply() },
});
const FIELDS = ['programMetrics'];
const warnings = [];
const log = { warn: (event, fields) => warnings.push([event, fields]) };

/** @returns what the record of an app gets */
async function measured(apps, fields = FIELDS) {
  const add = await programMetrics({ log }).measure(apps, fields);
  return (app) => {
    const record = {};
    add(app, record);
    return record.programMetrics;
  };
}

t.test(
  'a primary that does not reply is a failure, and nobody is asked without need',
  async (t) => {
    const busy = appWith('busy', async () => {
      throw new NodeclusterError('E_PROTOCOL_TIMEOUT', { what: 'program-metrics', ms: 1 });
    });
    const api = appWith('api', () => replyWith(familyOf('a', 1)));
    const known = await measured([busy, api]);
    t.match(known(busy), { families: [], failure: String });
    t.match(known(api), { families: [{ name: 'a' }], failure: null });
    const unasked = await measured([appWith('api', () => t.fail('asked'))], []);
    t.equal(unasked(api), undefined);
    warnings.length = 0;
  },
);

t.test('one app with very many does not displace the others', async (t) => {
  const apps = [
    appWith('big', () => replyWith(familyOf('huge', 150_000))),
    appWith('small', () => replyWith(familyOf('own', 5))),
  ];
  const known = await measured(apps);
  t.match(known(apps[0]), { families: [], failure: /exceed 2 MiB/ });
  t.match(known(apps[1]), { families: [{ name: 'own' }], failure: null });
  warnings.length = 0;
});

t.test('a registry that cannot be read is logged once', async (t) => {
  const failing = appWith('api', () => ({ ...replyWith(), failure: 'the pool is closed' }));
  const { measure } = programMetrics({ log });
  await measure([failing], FIELDS);
  await measure([failing], FIELDS);
  const fields = { app: 'api', reason: 'the pool is closed' };
  t.same(warnings, [['program-metrics.failed', fields]]);
});
