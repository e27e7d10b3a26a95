import t from 'tap';
import { renderDaemonEntry } from '../../../src/cli/render/log-entry.js';
import { readDaemonLine } from '../../../src/shared/log-files/daemon-line.js';

const pipe = { width: null, colours: false, isTerminal: false };
const TIME = '2026-03-01T12:00:00.000Z';
const line = (more) => JSON.stringify({ time: TIME, level: 'warn', daemon: 7, ...more });
const rendered = (text, to = pipe) => renderDaemonEntry(readDaemonLine(text), to);

t.test('an event', async (t) => {
  const ended = line({
    event: 'worker.exited',
    app: 'api',
    slot: 1,
    code: 1,
    signal: null,
    reason: 'exited with code 1',
    then: 'backoff',
    inMs: 100,
    failed: [],
  });
  const text = 'worker.exited api:1 code=1 reason="exited with code 1" then=backoff inMs=100';
  t.equal(rendered(ended), `${TIME} warn  ${text}`);
  t.match(readDaemonLine(ended), { time: Date.parse(TIME), message: text });
  t.equal(rendered(line({ event: 'daemon.ended' })), `${TIME} warn  daemon.ended`);
});

t.test('what the process itself said, and what is cut', async (t) => {
  for (const text of ['(node:1) Warning: x', '', '{"a":1}', 'null', '{"event":']) {
    t.equal(rendered(text), text);
    t.equal(readDaemonLine(text).time, null);
  }
  t.equal(rendered('{"event":"x"}'), '- undefined x');
});

t.test('on a terminal', async (t) => {
  const to = { width: 50, colours: true, isTerminal: true };
  const text = rendered(
    line({ event: 'x', app: 'api', reason: `\u001b[2J ${'word '.repeat(20)}` }),
    to,
  );
  t.match(text, '\u001b[33mwarn');
  t.notMatch(text, '\u001b[2J');
  t.ok(text.split('\n').length > 2);
});
