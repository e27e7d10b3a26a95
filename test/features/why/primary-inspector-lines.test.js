import t from 'tap';
import { InspectorLines } from '../../../src/features/why/primary-inspector.js';

const URL = 'ws://127.0.0.1:36839/eefee39f-e898-421e-867d-b07205320063';
const OPENED = `Debugger listening on ${URL}\nFor help, see: https://nodejs.org/en/docs/inspector\n`;

/** @param {InspectorLines} lines @param {string[]} chunks */
const passed = (lines, chunks) =>
  chunks.map((chunk) => lines.filter(Buffer.from(chunk)).toString()).join('');

t.test('what Node writes about its inspector is removed, and its address reported', async (t) => {
  const lines = new InspectorLines();
  const urls = [];
  lines.onOpen = (url) => urls.push(url);
  lines.expect();
  const text = `one\nhalf a line${OPENED} and its end\nDebugger attached.\nDebugger ending on ${URL}\ntwo €\n`;
  t.equal(passed(lines, [text]), 'one\nhalf a line and its end\ntwo €\n');
  t.same(urls, [URL]);
  for (const at of [20, 30, 60, 100, 130]) {
    const split = new InspectorLines();
    split.expect();
    split.onOpen = (url) => t.equal(url, URL);
    t.equal(passed(split, [`x\n${OPENED}y\n`.slice(0, at), `x\n${OPENED}y\n`.slice(at)]), 'x\ny\n');
  }
});

t.test('the same lines of a program pass while none is expected', async (t) => {
  const lines = new InspectorLines();
  t.equal(passed(lines, [OPENED]), OPENED);
  const chunk = Buffer.from('as it is');
  t.equal(lines.filter(chunk), chunk);
});
