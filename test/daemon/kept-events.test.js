import t from 'tap';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { leaveEvents, takeEvents } from '../../src/daemon/events.js';

const event = { type: 'reload.ended', at: 4, app: 'api', namespace: 'shop' };

/** @returns a log that keeps its warnings */
function makeLog() {
  const warnings = [];
  return { warnings, warn: (name, fields) => warnings.push([name, fields]) };
}

t.test('the next daemon takes what the one before has left, once', async (t) => {
  const file = path.join(t.testdir(), 'events.json');
  await leaveEvents(file, [event], makeLog());
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.strictSame(takeEvents(file), [event]);
  t.strictSame(takeEvents(file), []);
});

t.test('what is not valid is dropped', async (t) => {
  const rows = [
    ['', []],
    ['{}', []],
    ['[', []],
    [
      JSON.stringify([event, null, 3, [], {}, { ...event, at: 'x' }, { ...event, app: 1 }]),
      [event],
    ],
    [JSON.stringify(Array(600).fill(event)), Array(500).fill(event)],
  ];
  for (const [text, expected] of rows) {
    const file = path.join(t.testdir({ 'events.json': text }), 'events.json');
    t.strictSame(takeEvents(file), expected, text.slice(0, 80));
    t.notOk(existsSync(file));
  }
});

t.test('a daemon ends also if they cannot be written', async (t) => {
  const file = path.join(t.testdir(), 'missing', 'events.json');
  const log = makeLog();
  await leaveEvents(file, [event], log);
  t.match(log.warnings, [['events.lost', { reason: /ENOENT/ }]]);
  mkdirSync(path.dirname(file));
  writeFileSync(`${file}.x.tmp`, '[');
  t.strictSame(takeEvents(file), []);
  t.notOk(existsSync(`${file}.x.tmp`));
});
