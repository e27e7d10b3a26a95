/** Wrong arguments: a TypeError that says what was expected and what came. */
import t from 'tap';
import { connect } from 'nodecluster';
import { testHome } from '../../support/home.js';

/** @type {[call: string, message: RegExp, run: (client: Nodecluster & any) => unknown][]} */
const WRONG = [
  ['start()', /target of start\(\) .* got undefined/, (client) => client.start()],
  ['start(null)', /got null/, (client) => client.start(null)],
  ['start([])', /list of apps/, (client) => client.start([])],
  ['stop()', /target of stop\(\) .* worker id .* got undefined/, (client) => client.stop()],
  ["stop('')", /got ''/, (client) => client.stop('')],
  ['stop(-1)', /got -1/, (client) => client.stop(-1)],
  ['stop([{}])', /got \[ \{\} \]/, (client) => client.stop([{}])],
  ['scale(api)', /instances of scale\(\) .* got undefined/, (client) => client.scale('api')],
  ['scale(api, -1)', /'-1', but got -1/, (client) => client.scale('api', -1)],
  ['scale(api, 1.5)', /whole number/, (client) => client.scale('api', 1.5)],
  ['scale([a, b], 2)', /one app/, (client) => client.scale(['a', 'b'], 2)],
  ['send(api)', /message of send\(\) .* got undefined/, (client) => client.send('api')],
  ['send(api, f)', /that JSON can hold/, (client) => client.send('api', () => {})],
  ['send(api, 1n)', /BigInt/, (client) => client.send('api', 1n)],
  ['list(true)', /options of list\(\) to be an object/, (client) => client.list(true)],
  [
    'reload(api, {paralel})',
    /no option "paralel". Did you mean "parallel"\?/,
    (client) => client.reload('api', { paralel: 2 }),
  ],
  [
    'reload(api, {parallel: 0})',
    /"parallel" of reload\(\) to be a whole number from 1 up, but got 0/,
    (client) => client.reload('api', { parallel: 0 }),
  ],
  [
    'restart(file, {parallel})',
    /no option "parallel". Its options are "env"/,
    (client) => client.restart('a.yml', { parallel: 2 }),
  ],
  [
    'reload(api, {canary: 1})',
    /"canary" of reload\(\) to be an object such as \{instances: 1, .* but got 1/,
    (client) => client.reload('api', { canary: 1 }),
  ],
  ...[
    { for: '25h' },
    { for: 0 },
    { max5xx: 2 },
    { maxP99: 0.5 },
    { instances: 0 },
    { minRequests: 1 },
  ].map((canary) => [
    `reload(api, ${JSON.stringify({ canary })})`,
    /"canary" of reload\(\)/,
    (client) => client.reload('api', { canary }),
  ]),
  ['restart(api, {canary})', /no option/, (client) => client.restart('api', { canary: {} })],
  ['runNow(api, {wait: 1})', /"wait" of/, (client) => client.runNow('api', { wait: 1 })],
  ['why()', /target of why\(\)/, (client) => client.why()],
  ['profile([])', /target of profile\(\) to be one worker/, (client) => profiled(client, [])],
  ['profile(0, {})', /either \{cpu/, (client) => client.profile(0, {})],
  ['profile(0)', /options of profile\(\) to be an object/, (client) => client.profile(0)],
  [
    'profile(0, {cpu, heap})',
    /either \{cpu: "10s"\} or \{heap: true\}, but got/,
    (client) => client.profile(0, { cpu: '1s', heap: true }),
  ],
  ['profile(0, {cpu: 2h})', /from 10ms to 1h/, (client) => client.profile(0, { cpu: '2h' })],
  [
    'profile(0, {signal})',
    /an AbortSignal/,
    (client) => client.profile(0, { cpu: '1s', signal: 'SIGINT' }),
  ],
  ['env(api, {secrets})', /has no option/, (client) => client.env('api', { secrets: true })],
];

function profiled(client, worker) {
  return client.profile(worker, { cpu: '1s' });
}

/** These throw at once. */
const WRONG_STREAMS = [
  ['events(api)', /options of events\(\)/, (client) => client.events('api')],
  ['logs(null)', /target of logs\(\)/, (client) => client.logs(null)],
  ['logs(api, {lines})', /"lines" of logs\(\)/, (client) => client.logs('api', { lines: '3' })],
  ['logs(api, {since})', /a valid Date/, (client) => client.logs('api', { since: new Date('x') })],
];

t.test('wrong arguments', async (t) => {
  const { home, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  for (const [call, message, run] of WRONG) {
    const isConfig = call === 'start([])';
    await t.rejects(
      run(client),
      { name: isConfig ? 'NodeclusterError' : 'TypeError', message },
      call,
    );
  }
  for (const [call, message, run] of WRONG_STREAMS) {
    t.throws(() => run(client), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message }, call);
  }
  await t.rejects(connect({ hme: home }), { message: /no option "hme". Did you mean "home"\?/ });
  for (const call of ['reload', 'stop', 'start'])
    await t.rejects(client[call]('api', { only: ['api'] }), { code: 'E_OPTION_NEEDS_FILE' }, call);
  await t.rejects(client.reset('api', { only: ['api'] }), /no option "only"/);
  t.same(await client.stop([]), [], 'no targets are not a mistake');
});
