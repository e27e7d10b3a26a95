import t from 'tap';
import { usesColours } from '../../../src/cli/render/palette.js';

/** @type {[string, boolean, Record<string, string>, string[], boolean][]} */
const rows = [
  ['a terminal', true, {}, [], true],
  ['a pipe', false, {}, [], false],
  ['a dumb terminal', true, { TERM: 'dumb' }, [], false],
  ['FORCE_COLOR on a pipe', false, { FORCE_COLOR: '1' }, [], true],
  ['FORCE_COLOR=3 on a pipe', false, { FORCE_COLOR: '3' }, [], true],
  ['FORCE_COLOR without a value', false, { FORCE_COLOR: '' }, [], true],
  ['FORCE_COLOR=0 on a terminal', true, { FORCE_COLOR: '0' }, [], false],
  ['FORCE_COLOR=false on a terminal', true, { FORCE_COLOR: 'false' }, [], false],
  ['NO_COLOR wins', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, ['--color'], false],
  ['an empty NO_COLOR is none', true, { NO_COLOR: '' }, [], true],
  ['--no-color', true, { FORCE_COLOR: '1' }, ['ls', '--no-color'], false],
  ['--color on a pipe', false, {}, ['ls', '--color'], true],
  ['--color of the program', false, {}, ['start', 'a.js', '--', '--color'], false],
];

for (const [name, isTerminal, env, argv, expected] of rows) {
  t.test(name, async (t) => t.equal(usesColours({ isTerminal, env, argv }), expected));
}
