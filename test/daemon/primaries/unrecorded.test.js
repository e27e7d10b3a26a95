/** Anything may have taken the place of the files from which apps are recovered. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { completeSpec } from '../../../src/config/options/table.js';
import { findUnrecordedApps } from '../../../src/daemon/primaries/find-running.js';
import { ensureHome } from '../../../src/shared/home.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { specWith } from '../../support/spec.js';

t.test('an app that runs and is not in desired.json', async (t) => {
  const paths = ensureHome(path.join(t.testdir(), 'home'));
  const { dir, record, launch, socket } = paths.app('web');
  mkdirSync(dir);
  writeFileSync(record, JSON.stringify({ ...identify(process.pid), socket }));
  const spec = completeSpec(specWith());
  const text = JSON.stringify({ spec, generation: 3, slots: [0], stoppedSlots: [] });
  const find = (known = []) => findUnrecordedApps(paths, { get: (name) => known.includes(name) });

  writeFileSync(launch, text);
  t.match(find(), [{ spec: { name: 'web' }, generation: 3, slots: [0], stopped: false }]);
  t.same(find(['web']), [], 'it is in desired.json');
  writeFileSync(launch, text.slice(0, 100));
  t.same(find(), [], 'half a file');
  writeFileSync(launch, text.padEnd(20 * 1024 * 1024));
  t.same(find(), [], 'a huge file is not read');
  rmSync(launch);
  execFileSync('mkfifo', [launch]);
  t.same(find(), [], 'a pipe without a writer does not block the daemon');
});
