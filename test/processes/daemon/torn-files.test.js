/** Files in the home directory that a power cut has left empty, half written or full of zeros. */
import t from 'tap';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { killAll, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { killNow, startedDaemon, webSpec } from '../daemon-under-test.js';

const TORN = {
  empty: () => '',
  half: (text) => text.slice(0, text.length / 2),
  zeros: (text) => '\0'.repeat(text.length),
};

/** Valid or endless, but nothing that was ever written. */
const WRONG = {
  types: () =>
    '{"pid":{},"startTime":[],"bootId":1,"socket":7,"workers":"x","spec":[1],"slots":{}}',
  list: () => '[[],{},null,{"pid":-1},{"pid":1e99}]',
  deep: () => '['.repeat(100_000),
  huge: (text) => text + ' '.repeat(20 * 1024 ** 2),
};

t.test('apps come back although every other file is damaged', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  for (const [kind, tear] of Object.entries({ ...TORN, ...WRONG })) {
    const { record } = daemon.place();
    await killAll(daemon.root);
    const torn = tear(readFileSync(record, 'utf8'));
    writeFileSync(record, torn);
    writeFileSync(`${record}.0123456789ab.tmp`, torn);
    writeFileSync(daemon.paths.service, tear('{"pid":1}'));
    await daemon.start();
    await until(async () => (await daemon.view('web')).status === 'online', kind);
    t.equal((await daemon.ask('list')).apps.length, 1, kind);
  }
  const left = readdirSync(daemon.home, { recursive: true }).map(String);
  t.notOk(left.find((name) => name.endsWith('.0123456789ab.tmp')));
});

t.test(
  'a damaged desired.json: what runs is kept, and ls says that the rest is lost',
  async (t) => {
    const web = await webSpec({ instances: 1 });
    const daemon = await startedDaemon(t, [web]);
    for (const [kind, tear] of Object.entries(TORN)) {
      const before = await daemon.ask('list');
      const text = daemon.desired();
      killNow(before.daemon.pid);
      await until(
        () => !processesOf(daemon.root).includes(before.daemon.pid),
        'the daemon to exit',
      );
      writeFileSync(daemon.paths.desired, tear(text));
      const after = await daemon.ask('list');
      t.equal(after.apps[0]?.primaryPid, before.apps[0].primaryPid, kind);
      await until(() => JSON.parse(daemon.desired()).apps.length === 1, 'the daemon to save');
    }
    const text = daemon.desired();
    await killAll(daemon.root);
    for (const file of [daemon.paths.desired, `${daemon.paths.desired}.copy`])
      writeFileSync(file, TORN.half(text));
    await daemon.start();
    const { apps, notes } = await daemon.ask('list');
    t.strictSame(apps, []);
    t.match(notes[0], /was damaged.*desired\.json\.unreadable/);
    t.equal(readFileSync(`${daemon.paths.desired}.unreadable`, 'utf8'), TORN.half(text));
  },
);
