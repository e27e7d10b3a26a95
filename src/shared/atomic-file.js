/** Writing a file so that a reader, or a power cut, sees the old text or the new one: never half. */
import { randomBytes } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Mode 0600. Two writers of one file do not mix; which of them is last is theirs to order.
 * @param {string} file
 * @param {string} text
 * @returns {Promise<void>} when the text is on the disk under its name
 */
export async function writeFileAtomic(file, text) {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeNew(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncDirectory(path.dirname(file));
}

/**
 * @param {string} file
 * @param {string} text
 */
async function writeNew(file, text) {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @param {string} directory */
async function syncDirectory(directory) {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
