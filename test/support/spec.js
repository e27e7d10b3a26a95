/** Specs for tests, with the product's own defaults. */
import { tmpdir } from 'node:os';
import { completeSpec } from '../../src/config/options/table.js';
import { app } from './home.js';
import { plainEnv } from './spawn-clean.js';

/** @returns of a small HTTP server in cluster mode */
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
