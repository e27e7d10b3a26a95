/** A home in which root runs a program of another user, and what that user must not touch. */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHome } from '../../support/home.js';

export const NOBODY = 65534;
export const skip =
  process.getuid?.() === 0 ? false : 'only root can start programs as another user';

/** @param files of root, which contain their names */
export function hostileHome(t, files) {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  const [own, victim] = ['own', 'victim'].map((name) => join(home.root, name));
  mkdirSync(own);
  chownSync(own, NOBODY, NOBODY);
  mkdirSync(victim, { mode: 0o755 });
  for (const name of files) writeFileSync(join(victim, name), name);
  return { home, own, victim };
}
