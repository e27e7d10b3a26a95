/** Every option gets every kind of wrong value over the socket of a daemon: nothing is saved. */
import t from 'tap';
import { options } from '../../../../src/config/options/table.js';
import { killed, startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

/** None of them is the value of any option, unless the row below says so. */
const WRONG = {
  'a huge number': 1e300,
  'a negative number': -5,
  'a fraction': 0.5,
  true: true,
  'an empty string': '',
  'a NUL': 'a\0b',
  'a long string': 'x'.repeat(200_000),
  'a number in a list': [1],
  'a list in a list': [['a']],
  'null in a list': [null],
  'a map': { a: { b: 1 } },
  'a map with toString': { toString: 1, constructor: 2 },
  'a map with __proto__': JSON.parse('{"__proto__": {"polluted": true}}'),
  'a deep list': JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`),
};
/** Long strings are paths, words and variables that a program may have. */
const ALLOWED = {
  'a long string': [
    ...['script', 'cwd', 'interpreter', 'pidFile', 'outFile', 'errorFile', 'logFile'],
    ...['instanceVar', 'incrementVar'],
  ],
  'a number in a list': ['stopExitCodes'],
  'a negative number': ['instances'],
};
const BOOLEANS = options.filter(({ type }) => type.schema.type === 'boolean').map((o) => o.spec);
const isSwitch = (key) => BOOLEANS.includes(key) || key === 'watch';

t.test('no wrong value of an option is used or saved', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ name: '__proto__', instances: 1 })]);
  const saved = daemon.saved();
  const client = await daemon.dial();
  const accepted = [];
  for (const { spec: key } of options) {
    if (key === null) continue;
    for (const [kind, value] of Object.entries(WRONG)) {
      const isValid = ALLOWED[kind]?.includes(key) || (value === true && isSwitch(key));
      if (isValid) continue;
      const spec = { ...testSpec({ name: 'bad' }), [key]: value };
      for (const request of [
        ['start', { specs: [spec] }],
        ['apply', { specs: [spec], action: 'start' }],
      ]) {
        const code = await client.request(...request).catch((error) => error.code);
        if (code !== 'E_REQUEST_INVALID') accepted.push(`${request[0]} ${key}: ${kind}`);
      }
    }
  }
  t.strictSame(accepted, []);
  const evil = { ...testSpec(), name: '../../evil' };
  const message = /name: expected a name of up to 64 letters/;
  await t.rejects(daemon.ask('start', { specs: [evil] }), { code: 'E_REQUEST_INVALID', message });
  await t.rejects(client.request('stop', { selectors: ['a', 5] }), {
    ...{ code: 'E_REQUEST_INVALID', message: /selectors\.1 of stop is not valid/ },
  });
  const selectors = ['__proto__'];
  const scale = { selector: '__proto__', instances: '1001' };
  await t.rejects(client.request('scale', scale), { code: 'E_SCALE_COUNT' });
  t.same(daemon.saved(), saved);
  await client.request('send', { selectors, message: { password: 'hunter2' } });
  t.match(daemon.log(), /"method":"send"/);
  t.notMatch(daemon.log(), 'hunter2', 'messages to programs are not logged');
  t.equal({}.polluted, undefined);
  t.strictSame((await client.request('list', {})).apps.length, 1);

  await killed(daemon.child.pid);
  t.match(await daemon.view('__proto__'), { status: 'online' }, 'the next daemon starts');
});
