/** What clients send, by the types of the requests. */
import t from 'tap';
import { daemonParams } from '../../src/daemon/checks.js';

const selectors = ['api'];
const canary = { instances: 1, forMs: 1000, max5xx: 0, maxP99: 1 };

/** @type {[method: keyof typeof daemonParams, params: object, fault: string | null][]} */
const rows = [
  ['list', {}, null],
  ['list', { fields: ['everything'] }, 'fields.0'],
  ['stop', { selectors }, null],
  ['stop', {}, 'selectors'],
  ['stop', { selectors: [{ toString: 1 }] }, 'selectors.0'],
  ['start', { specs: [{}] }, null],
  ['start', { specs: [null] }, 'specs.0'],
  ['start', { specs: [], shellEnv: { A: 1 } }, 'shellEnv.A'],
  ['reload', { selectors, updateEnv: { A: 'x'.repeat(1e6) }, wait: false }, null],
  ['reload', { selectors, updateEnv: null }, null],
  ['reload', { selectors, updateEnv: { 'A=B': '' } }, 'updateEnv.A=B'],
  ['reload', { selectors, updateEnv: { A: 'a\0b' } }, 'updateEnv.A'],
  ['reload', { selectors, updateEnv: [] }, 'updateEnv'],
  ['reload', { selectors, parallel: 0 }, 'parallel'],
  ['reload', { selectors, onFailure: 'constructor' }, 'onFailure'],
  ['reload', { selectors, canary }, null],
  ['reload', { selectors, canary: { ...canary, instances: 0.5 } }, 'canary.instances'],
  ['reload', { selectors, canary: { ...canary, forMs: 86_400_001 } }, 'canary.forMs'],
  ['reload', { selectors, canary: { ...canary, max5xx: -1 } }, 'canary.max5xx'],
  ['reload', { selectors, canary: { ...canary, maxP99: 0.5 } }, 'canary.maxP99'],
  ['apply', { specs: [], action: 'start', only: null }, null],
  ['apply', { specs: [], action: 'constructor' }, 'action'],
  ['apply', { specs: [], action: 'start', only: { toString: 1 } }, 'only'],
  ['scale', { selector: 'api', instances: 2 }, null],
  ['scale', { selector: 'api', instances: '+2' }, null],
  ['scale', { selector: 'api', instances: {} }, 'instances'],
  ['signal', { selectors, signal: 9 }, 'signal'],
  ['profile', { selector: 'api', kind: 'heap' }, null],
  ['profile', { selector: 'api', kind: 'toString' }, 'kind'],
  ['profile', { selector: 'api', kind: 'cpu', durationMs: 3_600_001 }, 'durationMs'],
];

for (const [method, params, fault] of rows) {
  t.test(`${method} ${JSON.stringify(params).slice(0, 60)} ${fault ?? 'is valid'}`, async (t) => {
    t.equal(daemonParams[method](params), fault);
  });
}
