/** Functions of node:fs that fail as they rarely do, also for modules that import them by name. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * @param name of the function
 * @param make what takes its place until the test ends
 * @param module fs, or fs.promises
 */
export function replaceFs(t, name, make, module = fs) {
  const real = module[name];
  const replace = (by) => {
    module[name] = by;
    syncBuiltinESMExports();
  };
  t.teardown(() => replace(real));
  replace(make(real));
}

/** @param call that fails */
export function ioError(call) {
  return Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO' });
}
