import t from 'tap';
import { checkParams } from '../../src/primary/methods.js';
import { specWith } from '../support/spec.js';

const spec = specWith();
const canary = { instances: 1, forMs: 1000, max5xx: 0, maxP99: 2 };
const range = { min: 1, max: -1, elu: 0.8, cooldownMs: 1000 };

const rows = [
  ['stop', {}, null],
  ['stop', { slots: [0, 1] }, null],
  ['stop', { slots: 0 }, 'slots'],
  ['stop', { slots: ['0'] }, 'slots.0'],
  ['stop', { slots: [0, 1e308] }, 'slots.1'],
  ['stop', { slots: null }, 'slots'],
  ['scale', { slots: [0], spec }, null],
  ['scale', { spec }, 'slots'],
  ['scale', { slots: [0] }, 'spec'],
  ['configure', { spec: 5 }, 'spec'],
  ['configure', { spec: {} }, 'spec.name'],
  ['configure', { spec: { ...spec, name: 'other' } }, 'spec.name'],
  ['restart', { spec: { ...spec, execMode: 'fork' } }, 'spec.execMode'],
  ['scale', { slots: [0], spec: { ...spec, args: [1] } }, 'spec.args.0'],
  ['configure', { spec: { ...spec, env: null } }, 'spec.env'],
  ['configure', { spec: { ...spec, instances: 0.5 } }, 'spec.instances'],
  ['configure', { spec: { ...spec, instances: { ...range, max: 0.5 } } }, 'spec.instances'],
  ['configure', { spec: { ...spec, instances: range } }, null],
  ['reload', { spec, generation: 2, parallel: 1, onFailure: 'rollback' }, null],
  ['reload', { generation: -1 }, 'generation'],
  ['reload', { onFailure: 'explode' }, 'onFailure'],
  ['reload', { canary }, null],
  ['reload', { canary: { ...canary, instances: 0 } }, 'canary.instances'],
  ['reload', { canary: { ...canary, forMs: null } }, 'canary.forMs'],
  ['reload', { canary: 1 }, 'canary'],
  ['signal', { signal: 9 }, 'signal'],
  ['host', {}, 'spec'],
  ['profile', { slot: 0, kind: 'cpu' }, null],
  ['end-profile', { pid: 0, kind: 'cpu', isWanted: true }, 'pid'],
  ['send', { message: { slots: 5 } }, null],
];

for (const [method, params, key] of rows) {
  t.test(`${method} ${JSON.stringify(Object.keys(params))} ${key ?? 'is valid'}`, async (t) => {
    const check = () => checkParams(method, params, spec);
    if (key === null) t.doesNotThrow(check);
    else t.throws(check, { code: 'E_PROTOCOL_PARAMS', data: { method, key } });
  });
}
