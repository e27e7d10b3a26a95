/** The package for Fedora on a booted machine, a Debian with rpm: installed, used, upgraded and removed. */
import t from 'tap';
import { noNfpm, testOnMachine } from '../../support/machine.js';

t.test('rpm', { skip: noNfpm }, async (t) => testOnMachine(t, 'rpm'));
