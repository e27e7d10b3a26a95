/**
 * A disk that is full to the last byte, or also to the last inode, and stays so: whatever is freed
 * meanwhile is taken within milliseconds.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** @import { Victim } from './faults.js' */

const TAKE_EVERY_MS = 2;
const RESERVED_NAMES = 3000;
const BLOCK = Buffer.alloc(4096);

/** @param {Victim} victim */
export function fillBytes({ root }) {
  return keepFull(root, { inodes: false });
}

/** @param {Victim} victim */
export function fillInodes({ root }) {
  return keepFull(root, { inodes: true });
}

/**
 * @param {string} root a directory on the disk
 * @param {{inodes: boolean}} options
 */
function keepFull(root, { inodes }) {
  const ballast = path.join(path.dirname(root), 'ballast');
  mkdirSync(ballast);
  const descriptor = openSync(path.join(ballast, 'bytes'), 'a');
  let count = 0;
  const take = () => {
    if (inodes) takeAll(() => writeFileSync(path.join(ballast, String(count++)), ''));
    takeAll(() => writeSync(descriptor, BLOCK));
    takeAll(() => writeSync(descriptor, BLOCK, 0, 1));
  };
  reserveNames(ballast);
  take();
  assertFull(ballast, inodes);
  const timer = setInterval(take, TAKE_EVERY_MS);
  return () => {
    clearInterval(timer);
    take();
    assertFull(ballast, inodes);
    closeSync(descriptor);
    rmSync(ballast, { recursive: true });
  };
}

/** Room in the directory for names of inodes that become free later. @param {string} directory */
function reserveNames(directory) {
  const files = Array.from({ length: RESERVED_NAMES }, (_, index) =>
    path.join(directory, `reserved-${index}`),
  );
  for (const file of files) writeFileSync(file, '');
  for (const file of files) rmSync(file);
}

/** @param {() => void} take one piece */
function takeAll(take) {
  try {
    for (;;) take();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOSPC') throw error;
  }
}

/** @param {string} directory @param {boolean} inodes */
function assertFull(directory, inodes) {
  const { bavail, ffree } = statfsSync(directory);
  if (bavail > 0 || (inodes && ffree > 0)) {
    throw new Error(`the disk is not full: ${bavail} blocks and ${ffree} inodes are free`);
  }
}
