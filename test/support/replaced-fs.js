/** Functions of node:fs that fail as they rarely do, also for modules that import them by name. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export function replaceFs(t, name, make, module = fs) {
  const real = module[name];
  const replace = (by) => {
    module[name] = by;
    syncBuiltinESMExports();
  };
  t.teardown(() => replace(real));
  replace(make(real));
}

export function ioError(call) {
  return Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO' });
}
