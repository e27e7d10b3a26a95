/** A .tar.gz from texts that are in memory: what contains secrets until it is masked need not be on the disk first. */
import { gzipSync } from 'node:zlib';

/** Bytes */
const BLOCK = 512;
const MAX_NAME = 100;

/** @typedef {{name: string, text: string}} Entry */

/** @param {string} directory in it @param {readonly Entry[]} entries @param {number} now epoch ms @returns {Buffer} */
export function archiveOf(directory, entries, now) {
  const parts = entries.flatMap(({ name, text }) => {
    const body = Buffer.from(text);
    const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
    return [headerOf(directory, name, body.length, now), body, padding];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

/**
 * The fields of ustar (POSIX.1-1988), numbers in octal.
 * @param {string} directory @param {string} name @param {number} size @param {number} now
 */
function headerOf(directory, name, size, now) {
  const octal = (/** @type {number} */ value, /** @type {number} */ digits) =>
    value.toString(8).padStart(digits, '0');
  const header = Buffer.alloc(BLOCK);
  const end = Buffer.from(name).subarray(-MAX_NAME);
  // Not from the middle of a character.
  header.set(end.subarray(end.findIndex((byte) => (byte & 0xc0) !== 0x80)));
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(Math.floor(now / 1000), 11), 136);
  // The checksum counts its own field as blanks.
  header.write(`${' '.repeat(8)}0`, 148);
  header.write('ustar\x0000', 257);
  header.write(directory, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}
