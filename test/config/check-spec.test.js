/** What no option says of a spec that comes from outside. */
import t from 'tap';
import { readSpec, unknownKeys } from '../../src/config/check-spec.js';
import { specWith } from '../support/spec.js';

const resolvedFrom = {
  script: '/srv/node_modules/.bin/app',
  args: [],
  nodeArgs: [],
  cwd: '/srv',
  env: { A: '1' },
  binDirectories: [],
  lines: ['node app.js'],
};

t.test('what is complete is read back', async (t) => {
  const spec = specWith({ resolvedFrom, given: { instances: 'scaled' }, modeReason: 'x' });
  t.same(readSpec(spec), { spec, fault: null });
  t.same(unknownKeys({ ...spec, quota: 1 }), ['quota']);
});

for (const [part, key] of /** @type {[object, string][]} */ ([
  [{ shellEnv: undefined }, 'shellEnv'],
  [{ shellEnv: { 'A=B': '' } }, 'shellEnv.A=B'],
  [{ shellEnv: { A: 'a\0b' } }, 'shellEnv.A'],
  [{ configFile: 5 }, 'configFile'],
  [{ modeReason: [] }, 'modeReason'],
  [{ onDemand: 'yes' }, 'onDemand'],
  [{ given: null }, 'given'],
  [{ given: { instances: 'constructor' } }, 'given.instances'],
  [{ resolvedFrom: 5 }, 'resolvedFrom'],
  [{ resolvedFrom: { ...resolvedFrom, script: null } }, 'resolvedFrom.script'],
  [{ resolvedFrom: { ...resolvedFrom, args: [1] } }, 'resolvedFrom.args.0'],
  [{ resolvedFrom: { ...resolvedFrom, env: { A: 1 } } }, 'resolvedFrom.env.A'],
])) {
  t.test(`${key} ${JSON.stringify(part).slice(0, 60)}`, async (t) => {
    t.same(readSpec({ ...specWith(), ...part }), { spec: null, fault: `${key} is not valid` });
  });
}
