/** Wrong arguments: a TypeError that says what was expected and what came. */
import t from 'tap';
import { connect } from 'nodecluster';
import { testHome } from '../../support/home.js';

/** Calls of a client, and what is wrong with each. @type {[call: string, message: RegExp][]} */
const WRONG = [
  ['start()', /target of start\(\) .* got undefined/],
  ['start(null)', /got null/],
  ['stop()', /target of stop\(\) .* worker id .* got undefined/],
  ["stop('')", /got ''/],
  ['stop(-1)', /got -1/],
  ['stop([{}])', /got \[ \{\} \]/],
  ["scale('api')", /instances of scale\(\) .* got undefined/],
  ["scale('api', -1)", /'-1', but got -1/],
  ["scale('api', 1.5)", /whole number/],
  ["scale(['a', 'b'], 2)", /one app/],
  ["send('api')", /message of send\(\) .* got undefined/],
  ["send('api', () => {})", /that JSON can hold/],
  ["send('api', 1n)", /BigInt/],
  ['list(true)', /options of list\(\) to be an object/],
  ["reload('api', { paralel: 2 })", /no option "paralel". Did you mean "parallel"\?/],
  ["reload('api', { parallel: 0 })", /"parallel" of reload\(\) .* number from 1 up, but got 0/],
  ["restart('a.yml', { parallel: 2 })", /no option "parallel". Its options are "env"/],
  ["reload('api', { canary: 1 })", /"canary" of .* an object such as \{instances: 1, .* but got 1/],
  ...['for: "25h"', 'for: 0', 'max5xx: 2', 'maxP99: 0.5', 'instances: 0', 'minRequests: 1'].map(
    (canary) => [`reload('api', { canary: { ${canary} } })`, /"canary" of reload\(\)/],
  ),
  ["restart('api', { canary: {} })", /no option/],
  ["runNow('api', { wait: 1 })", /"wait" of/],
  ['why()', /target of why\(\)/],
  ["profile([], { cpu: '1s' })", /target of profile\(\) to be one worker/],
  ['profile(0, {})', /either \{cpu/],
  ['profile(0)', /options of profile\(\) to be an object/],
  ["profile(0, { cpu: '1s', heap: true })", /either \{cpu: "10s"\} or \{heap: true\}, but got/],
  ["profile(0, { cpu: '2h' })", /from 10ms to 1h/],
  ["profile(0, { cpu: '1s', signal: 'SIGINT' })", /an AbortSignal/],
  ["env('api', { secrets: true })", /has no option/],
];

/** These throw at once. @type {typeof WRONG} */
const WRONG_STREAMS = [
  ["events('api')", /options of events\(\)/],
  ['logs(null)', /target of logs\(\)/],
  ["logs('api', { lines: '3' })", /"lines" of logs\(\)/],
  ["logs('api', { since: new Date('x') })", /a valid Date/],
];

const made = (call, client) => new Function('client', `return client.${call}`)(client);

t.test('wrong arguments', async (t) => {
  const { home, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  for (const [call, message] of WRONG)
    await t.rejects(made(call, client), { name: 'TypeError', message }, call);
  for (const [call, message] of WRONG_STREAMS) {
    const wrong = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message };
    t.throws(() => made(call, client), wrong, call);
  }
  await t.rejects(client.start([]), { name: 'NodeclusterError', message: /list of apps/ });
  await t.rejects(connect({ hme: home }), { message: /no option "hme". Did you mean "home"\?/ });
  for (const call of ['reload', 'stop', 'start'])
    await t.rejects(client[call]('api', { only: ['api'] }), { code: 'E_OPTION_NEEDS_FILE' }, call);
  await t.rejects(client.reset('api', { only: ['api'] }), /no option "only"/);
  t.same(await client.stop([]), [], 'no targets are not a mistake');
});
