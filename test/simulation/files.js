/**
 * The files of the simulation are real, in a directory of its own. What is asynchronous takes simulated
 * time: the real work of a thread would end at any time, and no seed could be replayed.
 *
 * Node loads modules by the same functions, so nothing can be imported once they are replaced.
 */
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { later } from './clock.js';
import { machine } from './processes.js';

/** Of one system call. */
const MEAN_MS = 0.2;
const takesTime = (work) =>
  later(() => mayFail(work), machine.random.duration(MEAN_MS * machine.slowness));

function mayFail(work) {
  const code = machine.nextFileError();
  if (code !== null) throw Object.assign(new Error(`${code}: a file`), { code });
  return work();
}

/** What FileHandle offers of it. */
class Handle {
  constructor(fd) {
    this.fd = fd;
  }

  writeFile(data) {
    return takesTime(() => fs.writeFileSync(this.fd, data));
  }

  write(...args) {
    const write = fs.writeSync;
    return takesTime(() => ({ bytesWritten: write(this.fd, ...args) }));
  }

  read(...args) {
    const read = fs.readSync;
    return takesTime(() => ({ bytesRead: read(this.fd, ...args) }));
  }

  stat() {
    return takesTime(() => fs.fstatSync(this.fd));
  }

  /** No power fails here. */
  sync() {
    return takesTime(() => {});
  }

  datasync() {
    return this.sync();
  }

  close() {
    return takesTime(() => fs.closeSync(this.fd));
  }
}

export function replaceFileFunctions() {
  const { readdirSync } = fs;
  // The order is that of the file system.
  fs.readdirSync = (...args) => {
    const found = Reflect.apply(readdirSync, fs, args);
    return typeof found[0] === 'string' ? found.sort() : found;
  };

  const isSync = (name) => `${name}Sync` in fs && name !== 'open';
  for (const name of Object.keys(fsPromises).filter(isSync)) {
    fsPromises[name] = (...args) => takesTime(() => fs[`${name}Sync`](...args));
  }
  fsPromises.open = (...args) => takesTime(() => new Handle(fs.openSync(...args)));
  fs.fsyncSync = () => {};
  for (const name of ['openSync', 'writeFileSync', 'writeSync', 'renameSync', 'unlinkSync']) {
    const real = fs[name];
    fs[name] = (...args) => mayFail(() => real(...args));
  }
  // Nobody else changes a file here.
  fs.watch = () => Object.assign(new EventEmitter(), { close() {} });
  syncBuiltinESMExports();
}
