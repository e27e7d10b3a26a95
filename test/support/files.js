/** Writes the files of a test. */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from './home.js';

/**
 * @param files name → content, or a value to be written as JSON,
 *   which is valid YAML too
 */
export function writeFiles(directory, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

export function copyApp(program, path) {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(app(program), path);
  chmodSync(path, 0o755);
}
