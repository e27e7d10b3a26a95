/** Lets one call of daemon or primary fail, by a library that is compiled here and preloaded. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants as flags,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('failing-calls.c', import.meta.url));
export const ROLES = ['daemon', 'primary'];

/**
 * What can fail, in the order of `enum kind` in the library, and with which of the four errors. Linux never gives the others:
 * ENOSPC needs something that grows, EMFILE a new descriptor, EIO a disk, and a socket has none. fork has only EAGAIN and ENOMEM.
 */
export const CALLS = {
  openat: ['EIO', 'EMFILE', 'ENOMEM'],
  'openat in /proc': ['EIO', 'EMFILE', 'ENOMEM'],
  'openat, new file': ['EIO', 'ENOSPC', 'EMFILE', 'ENOMEM'],
  'write to a file': ['EIO', 'ENOSPC'],
  'write to a socket': ['ENOMEM'],
  fsync: ['EIO', 'ENOSPC'],
  rename: ['EIO', 'ENOSPC', 'ENOMEM'],
  unlink: ['EIO', 'ENOMEM'],
  accept4: ['EMFILE', 'ENOMEM'],
  clone: ['ENOMEM'],
  connect: ['ENOMEM'],
};
const KINDS = Object.keys(CALLS);

const INT = 4;
/** armed, role, kind, error, nth, failed */
const HEAD = 6;
const WHAT_BYTES = 256;
const BYTES = (HEAD + ROLES.length * KINDS.length) * INT + WHAT_BYTES;

/**
 * @param use of the path of the library
 * @throws {Error} there is no C compiler
 */
export async function withLibrary(use) {
  const directory = mkdtempSync(join(tmpdir(), 'failing-calls-'));
  const library = join(directory, 'failing-calls.so');
  const args = ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl', '-lpthread'];
  try {
    execFileSync('gcc', args, { stdio: 'pipe', encoding: 'utf8' });
    return await use(library);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The library in one home directory. */
export class FailingCalls {
  #file;

  /** @param directory a copy and its control file are made there */
  constructor(library, directory) {
    /** The environment of every command, the first of which starts the daemon. */
    this.env = { LD_PRELOAD: join(directory, 'failing-calls.so') };
    copyFileSync(library, this.env.LD_PRELOAD);
    this.#file = `${this.env.LD_PRELOAD}.control`;
    this.#write(Buffer.alloc(BYTES));
  }

  /** @param fault null: calls are counted, and none fails */
  arm(fault) {
    const bytes = Buffer.alloc(BYTES);
    const { role, call, error, nth } = fault ?? { role: 'daemon', call: '', error: 'EIO', nth: 0 };
    const numbers = [1, ROLES.indexOf(role), KINDS.indexOf(call), constants.errno[error], nth];
    numbers.forEach((number, index) => bytes.writeInt32LE(number, index * INT));
    this.#write(bytes);
  }

  /** @returns failed: on what */
  disarm() {
    this.#write(Buffer.alloc(INT));
    const bytes = Buffer.alloc(BYTES);
    const file = openSync(this.#file, 'r');
    readSync(file, bytes, 0, BYTES, 0);
    closeSync(file);
    const count = (role) => (kind) => bytes.readInt32LE((HEAD + role * KINDS.length + kind) * INT);
    const countsOf = (role) =>
      Object.fromEntries(KINDS.map((name, kind) => [name, count(role)(kind)]));
    const what = bytes
      .subarray(BYTES - WHAT_BYTES)
      .toString()
      .split('\0')[0];
    return {
      failed: bytes.readInt32LE((HEAD - 1) * INT) === 1 ? what : null,
      counts: { daemon: countsOf(0), primary: countsOf(1) },
    };
  }

  /** @param bytes The file is mapped by daemon and primary, so it must stay the same one. */
  #write(bytes) {
    const file = openSync(this.#file, flags.O_RDWR | flags.O_CREAT, 0o600);
    writeSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  }
}
