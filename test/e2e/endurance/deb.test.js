/** The package for Debian on a booted machine: installed, used, upgraded, removed and purged; lintian finds no error. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { noNfpm, testOnMachine } from '../../support/machine.js';

const noNode =
  spawnSync('dpkg-query', ['-W', 'nodejs']).status !== 0 && 'Node is not a package of Debian here';
t.test('deb', { skip: noNfpm || noNode }, async (t) => testOnMachine(t, 'deb'));
