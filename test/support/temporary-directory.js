import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Unlike that of `t.testdir()`, its path is short enough for sockets. */
export function temporaryDirectory(t) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'nc-')));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
