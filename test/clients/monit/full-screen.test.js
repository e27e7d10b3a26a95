import t from 'tap';
import { EventEmitter } from 'node:events';
import { FullScreen, changes } from '../../../src/clients/monit/full-screen.js';

/** A terminal that takes what it is told only when `take()` says so. */
class SlowTerminal extends EventEmitter {
  fd = -1;
  columns = 20;
  rows = 3;
  written = [];
  #untaken = [];

  write(text, written = () => {}) {
    this.written.push(text);
    this.#untaken.push(written);
  }

  take() {
    for (const written of this.#untaken.splice(0)) written();
  }
}

function screenOn(output) {
  const ignore = () => {};
  const raw = { setRawMode: ignore, resume: ignore, pause: ignore };
  const input = Object.assign(new EventEmitter(), raw);
  const on = { onKey: ignore, onEnd: ignore, onBlank: ignore };
  return new FullScreen({ input, output }, on);
}

t.test('only changed lines are written', async (t) => {
  const all = changes(null, ['one', 'two']);
  t.match(all, '\u001b[2J', 'nobody knows what was there');
  t.match(all, '\u001b[1;1H\u001b[Kone\u001b[2;1H\u001b[Ktwo');
  t.equal(changes(['one', 'two'], ['one', 'two']), '');
  t.equal(changes(['one', 'two'], ['one', 'TWO']), '\u001b[2;1H\u001b[KTWO');
  t.equal(changes(['one', 'two', 'three'], ['one']), '\u001b[2;1H\u001b[K\u001b[3;1H\u001b[K');
});

t.test('a frame is one write, and leaving is one write', async (t) => {
  const terminal = new SlowTerminal();
  const screen = screenOn(terminal);
  screen.draw(['not taken']);
  t.same(terminal.written, []);
  screen.take();
  t.match(terminal.written[0], /\?1049h.*\?25l/);
  terminal.take();
  screen.draw(['a', 'b', 'c', 'more than it has rows']);
  t.equal(terminal.written.length, 2);
  t.match(terminal.written[1], /^.\[\?2026h.*c.\[\?2026l$/s);
  terminal.take();
  screen.draw(['a', 'b', 'c']);
  t.equal(terminal.written.length, 2, 'nothing has changed');
  const released = screen.release();
  t.match(terminal.written[2], /\?25h.*\?1049l/);
  screen.draw(['too late']);
  terminal.take();
  await released;
  await screen.release();
  t.equal(terminal.written.length, 3, 'once');
  t.equal(terminal.listenerCount('resize'), 0);
});
