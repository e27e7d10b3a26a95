import t from 'tap';
import { EventEmitter } from 'node:events';
import { Screen, changes } from '../../../src/show/terminal/screen.js';

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
  const screen = new Screen(terminal);
  screen.draw(['not entered']);
  t.same(terminal.written, []);
  screen.enter();
  t.match(terminal.written[0], /\?1049h.*\?25l/);
  terminal.take();
  screen.draw(['a', 'b', 'c', 'more than it has rows']);
  t.equal(terminal.written.length, 2);
  t.match(terminal.written[1], /^.\[\?2026h.*c.\[\?2026l$/s);
  terminal.take();
  screen.draw(['a', 'b', 'c']);
  t.equal(terminal.written.length, 2, 'nothing has changed');
  const left = screen.leave();
  t.match(terminal.written[2], /\?25h.*\?1049l/);
  terminal.take();
  await left;
  await screen.leave();
  t.equal(terminal.written.length, 3, 'once');
  t.equal(terminal.listenerCount('resize'), 0);
});

t.test('a slow terminal gets the newest frame when it has taken the one before', async (t) => {
  const terminal = new SlowTerminal();
  const screen = new Screen(terminal);
  screen.enter();
  for (const frame of ['1', '2', '3']) screen.draw([frame]);
  t.equal(terminal.written.length, 1);
  terminal.take();
  t.equal(terminal.written.length, 2);
  t.match(terminal.written[1], /K3/);
  t.notMatch(terminal.written[1], /K1|K2/);
  const left = screen.leave();
  terminal.take();
  await left;
});

t.test('after a resize everything is drawn again', async (t) => {
  const terminal = new SlowTerminal();
  let told = 0;
  const screen = new Screen(terminal, () => (told += 1));
  screen.enter();
  terminal.take();
  screen.draw(['a']);
  terminal.take();
  terminal.columns = 10;
  terminal.emit('resize');
  t.equal(told, 1);
  t.same(screen.size, { columns: 10, rows: 3 });
  screen.draw(['a']);
  t.match(terminal.written.at(-1), /\[2J.*Ka/s);
  terminal.take();
  const left = screen.leave();
  terminal.take();
  await left;
});

t.test('a terminal of unknown size counts as 80×24', async (t) => {
  const terminal = Object.assign(new SlowTerminal(), { columns: 0, rows: 0 });
  t.same(new Screen(terminal).size, { columns: 80, rows: 24 });
});

t.test('after entering again everything is drawn again', async (t) => {
  const terminal = new SlowTerminal();
  const screen = new Screen(terminal);
  const isDrawn = () => {
    t.match(terminal.written.at(-1), /\?1049h/);
    terminal.take();
    screen.draw(['a']);
    t.match(terminal.written.at(-1), /\[2J.*Ka/s);
    terminal.take();
  };
  const leave = () => {
    const left = screen.leave();
    terminal.take();
    return left;
  };
  screen.enter();
  isDrawn();
  screen.enterAgain();
  isDrawn();
  await leave();
  screen.enter();
  isDrawn();
  await leave();
  t.equal(terminal.listenerCount('resize'), 0);
});
