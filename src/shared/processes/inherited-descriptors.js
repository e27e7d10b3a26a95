/**
 * Descriptors that the shell had open, as by `exec 200<>file; flock 200`. Node marks the first ones close-on-exec when it
 * starts, and all that it opens itself; the others would go on to every process that it starts, also of another user.
 */
import { closeSync } from 'node:fs';
import { listDirectory, readText } from '../files/inspect-path.js';

/** Node has marked all below (uv_disable_stdio_inheritance), so what is not marked there was opened since. */
const FIRST = 16;
const O_CLOEXEC = 0o2000000;

/**
 * Call this at the start of a process that starts others and lasts, and after what the user named as `/dev/fd/63` has been
 * read. Linux only: elsewhere nothing tells which ones they are.
 */
export function closeInheritedDescriptors() {
  if (process.platform !== 'linux') return;
  awaitCertificates(process);
  for (const fd of listDirectory('/proc/self/fd').map(Number)) {
    if (fd >= FIRST && isInheritable(fd)) closeSync(fd);
  }
}

/**
 * From Node 24 on a thread reads further certificates once node:tls is loaded, and does not mark its files: it would close
 * a descriptor of somebody else. Asking for the certificates waits for it.
 * @param {NodeJS.Process} process
 */
function awaitCertificates({ env, execArgv, getBuiltinModule }) {
  const options = [env.NODE_OPTIONS, ...execArgv].join(' ');
  const { NODE_EXTRA_CA_CERTS, NODE_USE_SYSTEM_CA } = env;
  if (!NODE_EXTRA_CA_CERTS && !NODE_USE_SYSTEM_CA && !options.includes('--use-system-ca')) return;
  /** @type {any} */ (getBuiltinModule?.('node:tls'))?.getCACertificates?.('default');
}

/** @param {number} fd @returns {boolean} false: it has been closed, as that of the directory above */
function isInheritable(fd) {
  const info = readText(`/proc/self/fdinfo/${fd}`);
  const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
  return flags !== undefined && (parseInt(flags, 8) & O_CLOEXEC) === 0;
}
