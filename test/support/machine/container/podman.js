import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** @returns what it wrote on stdout */
export async function podman(args) {
  const { stdout } = await promisify(execFile)('podman', args, { maxBuffer: 2 ** 26 });
  return stdout.trim();
}
