import t from 'tap';
import fs, { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import timers from 'node:timers/promises';
import { DesiredStore, loadDesired } from '../../../src/daemon/apps/store.js';
import { replaceFs } from '../../support/replaced-fs.js';
import { specWith } from '../../support/spec.js';

const desired = (spec) => ({
  spec,
  generation: 1,
  stopped: true,
  killed: false,
  deleting: false,
  slots: [0],
  stoppedSlots: [],
  ids: { 0: 0 },
  rollout: null,
  listeningRecord: null,
  createdAt: null,
});

function desiredFile(t) {
  const dir = t.testdir();
  const file = path.join(dir, 'desired.json');
  const said = [];
  const log = { error: (_event, { reason }) => said.push(reason) };
  return {
    file,
    said,
    load: () => loadDesired(file, log),
    write: (content) => writeFileSync(file, JSON.stringify(content)),
    /** What was set aside, the earliest first. */
    asides() {
      const names = readdirSync(dir).filter((name) => name.includes('.unreadable-'));
      return names.sort().map((name) => readFileSync(path.join(dir, name), 'utf8'));
    },
  };
}

t.test('an app that is not valid is left out, and the file is kept', async (t) => {
  const { said, load, write, asides } = desiredFile(t);
  const earlier = specWith();
  delete earlier.watchDelayMs;
  const wrong = desired(specWith({ name: 'dates', logDateFormat: 5 }));
  const all = [{}, desired(earlier), desired(specWith()), { spec: { name: '..' } }, wrong, 5];
  write({ format: 1, apps: all });
  const { apps, notes } = load();
  t.equal(apps.length, 1);
  t.match(apps, [{ spec: { name: 'web', watchDelayMs: 200 } }], 'with the default of a new option');
  t.match(notes, [
    /without a name/,
    /App web .*another app has its name/,
    /App \.\./,
    /App dates was set aside: .*\(log_date_format: expected a format such as .*\.unreadable-\d+\.$/,
    /without a name.*not a map/,
  ]);
  t.equal(said.length, 5);
  t.equal(JSON.parse(asides()[0]).apps.length, 6);
});

t.test('one that is not valid does not cost the others, also if it cannot be copied', async (t) => {
  const { file, load, write } = desiredFile(t);
  write({ format: 1, apps: [{}, desired(specWith())] });
  replaceFs(t, 'copyFileSync', () => () => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  });
  t.equal(load().apps.length, 1);
  t.ok(existsSync(file));
});

t.test('while the copy cannot be read, a damaged list stays where it is', async (t) => {
  const { file, load } = desiredFile(t);
  writeFileSync(file, '{');
  mkdirSync(`${file}.copy`);
  t.throws(load, { code: 'E_HOME_READ', message: /desired\.json\.copy/ });
  t.equal(readFileSync(file, 'utf8'), '{');
});

t.test('an app that runs is not deleted because a file says so', async (t) => {
  const { load, write } = desiredFile(t);
  const edited = { ...desired(specWith()), stopped: false, killed: true, deleting: true };
  write({ format: 1, apps: [edited] });
  t.match(load().apps, [{ stopped: false, killed: false, deleting: false }]);
});

t.test('a damaged counter or id does not spread', async (t) => {
  const { load, write } = desiredFile(t);
  write({ format: 1, nextId: 'x', apps: [{ ...desired(specWith()), ids: { 0: 'x' } }] });
  t.match(load(), { nextId: 0, apps: [{ ids: {} }] });
  write({ format: 1, nextId: 0, apps: [{ ...desired(specWith()), ids: { 0: 5 } }] });
  t.match(load(), { nextId: 6, apps: [{ ids: { 0: 5 } }] }, 'an id is not used twice');
  for (const ids of [{ 0: 1, 1: 1 }, [3], 5, null]) {
    write({ format: 1, apps: [{ ...desired(specWith()), ids }] });
    t.strictSame(load().apps[0]?.ids, {}, JSON.stringify(ids));
  }
});

t.test('what the daemon could not run is set aside, with what is wrong', async (t) => {
  const { load, write } = desiredFile(t);
  const rollout = { spec: specWith(), generation: 2 };
  for (const [part, fault] of [
    [{ generation: -1 }, 'generation'],
    [{ stopped: 'yes' }, 'stopped'],
    [{ killed: undefined }, 'killed'],
    [{ slots: [] }, 'slots'],
    [{ slots: [0, 0] }, 'slots'],
    [{ slots: [1e6] }, 'slots.0'],
    [{ stoppedSlots: ['0'] }, 'stoppedSlots.0'],
    [{ ids: { length: 1 } }, 'ids.length'],
    [{ rollout: { ...rollout, resizeTo: [] } }, 'rollout.resizeTo'],
    [{ rollout: { generation: 2 } }, 'rollout.spec'],
    [{ listeningRecord: { input: 5, addresses: [] } }, 'listeningRecord.input'],
    [{ createdAt: 1e300 }, 'createdAt'],
  ]) {
    write({ format: 1, apps: [{ ...desired(specWith()), ...part }] });
    const { apps, notes } = load();
    t.same(apps, [], fault);
    t.ok(notes[0]?.includes(`(${fault} is not valid)`), notes[0]);
  }
  write({ format: 1, apps: [{ ...desired(specWith()), rollout: { ...rollout, resizeTo: [1] } }] });
  t.match(load(), { apps: [{ rollout: { generation: 2, resizeTo: [1] } }] });
});

t.test('a newer format is refused and stays', async (t) => {
  const { file, load, write } = desiredFile(t);
  write({ format: 2, apps: [] });
  t.throws(load, { code: 'E_HOME_READ', message: /newer format 2/ });
  t.ok(existsSync(file));
});

t.test('every truncation of the file brings its copy', async (t) => {
  const { file, load, asides } = desiredFile(t);
  let names = ['first'];
  const store = new DesiredStore(file, () => ({
    apps: names.map((name) => desired(specWith({ name }))),
    nextId: names.length,
  }));
  await store.save();
  names = ['first', 'second'];
  await store.save();
  const whole = readFileSync(file, 'utf8');
  const cuts = [0, 1, 10, Math.floor(whole.length / 2), whole.length - 1];
  const texts = cuts.map((length) => whole.slice(0, length));
  for (const text of [...texts, '{"format":0,"apps":[]}', '{"format":1,"apps":{}}']) {
    writeFileSync(file, text);
    const { apps, notes } = load();
    const loaded = apps.map(({ spec }) => spec.name);
    t.strictSame(loaded, names, text);
    t.match(notes, [/Its copy is used/]);
    t.notOk(existsSync(file));
  }

  writeFileSync(`${file}.copy`, 'x');
  writeFileSync(file, 'y');
  t.match(load(), { apps: [], notes: [/Its copy is damaged or missing too/] });
  t.match([asides().at(0), asides().at(-1)], ['', 'y'], 'each is kept');
});

t.test('a copy that a daemon did not live to write is written by the next', async (t) => {
  const { file, load, write } = desiredFile(t);
  write({ format: 1, nextId: 1, apps: [desired(specWith())] });
  const whole = readFileSync(file, 'utf8');
  for (const earlier of ['', whole.slice(1)]) {
    writeFileSync(`${file}.copy`, earlier);
    load();
    t.equal(readFileSync(`${file}.copy`, 'utf8'), whole);
  }
  mkdirSync(`${file}.copy.tmp`);
  writeFileSync(`${file}.copy`, 'earlier');
  t.equal(load().apps.length, 1, 'also where it cannot be written');
  t.notOk(existsSync(`${file}.copy`));
});

t.test('a copy that cannot be written is removed, since it is an earlier state', async (t) => {
  const { file } = desiredFile(t);
  const store = new DesiredStore(file, () => ({ apps: [], nextId: 0 }));
  await store.save();
  mkdirSync(`${file}.copy.tmp`);
  await store.save();
  t.strictSame(readdirSync(path.dirname(file)), ['desired.json', 'desired.json.copy.tmp']);
});

t.test(
  'the second of two saves waits, and is not made once another daemon has the apps',
  async (t) => {
    const { file } = desiredFile(t);
    const pauses = [];
    replaceFs(
      t,
      'setTimeout',
      () => (ms) => new Promise((end) => pauses.push({ ms, end })),
      timers,
    );
    const state = { apps: Array.from({ length: 500 }, () => ({ spec: {}, ids: {} })), nextId: 1 };
    const store = new DesiredStore(file, () => state);
    const savedId = () => JSON.parse(readFileSync(file, 'utf8')).nextId;
    await store.save();
    state.nextId = 2;
    const second = store.save();
    t.equal(store.save(), second, 'one for all that come meanwhile');
    await new Promise(setImmediate);
    t.match(pauses, [{ ms: 100 }]);
    t.equal(savedId(), 1);
    pauses[0].end();
    await second;
    t.equal(savedId(), 2);
    state.nextId = 3;
    const third = store.save();
    store.isSuperseded = true;
    await new Promise(setImmediate);
    pauses[1].end();
    await t.rejects(third, /another daemon/);
    t.equal(savedId(), 2);
  },
);

t.test('a change that could not be written to the disk does not stay in the file', async (t) => {
  const { file, load } = desiredFile(t);
  let apps = [desired(specWith())];
  const store = new DesiredStore(file, () => ({ apps, nextId: 1 }));
  const real = fs.promises.open;
  let open = real;
  const latest = (...args) => open(...args);
  replaceFs(t, 'open', () => latest, fs.promises);
  const isDirectory = (name) => name === path.dirname(file);

  open = async (name, ...rest) => {
    if (isDirectory(name)) throw new Error('EMFILE');
    return real(name, ...rest);
  };
  await t.rejects(store.save(), /EMFILE/);
  t.notOk(existsSync(file), 'as before');

  open = async (name, ...rest) => {
    const handle = await real(name, ...rest);
    if (isDirectory(name)) handle.sync = () => Promise.reject(new Error('EIO'));
    return handle;
  };
  await t.rejects(store.save(), /EIO/);
  t.equal(readFileSync(`${file}.copy`, 'utf8'), readFileSync(file, 'utf8'));
  apps = [];
  open = real;
  t.equal(await store.isIntact(), false, 'so it is written again, although no app is left');
  await store.save();
  t.equal(await store.isIntact(), true);
  t.strictSame(load().apps, []);
});
