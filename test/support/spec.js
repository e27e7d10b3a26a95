/** Specs for tests, with the product's own defaults. */
import { tmpdir } from 'node:os';
import { completeSpec } from '../../src/config/options/table.js';
import { app } from './home.js';
import { plainEnv } from './spawn-clean.js';

export function specWith(overrides = {}) {
  return completeSpec({
    name: 'web',
    script: app('http-pid.cjs'),
    cwd: tmpdir(),
    execMode: 'cluster',
    shellEnv: plainEnv(),
    ...overrides,
  });
}
