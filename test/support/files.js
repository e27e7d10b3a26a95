/** Writes the files of a test. */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from './home.js';

/**
 * @param {string} directory
 * @param {Record<string, unknown>} files name → content, or a value to be written as JSON,
 *   which is valid YAML too
 */
export function writeFiles(directory, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/**
 * @param {string} program one of test/fixtures/apps
 * @param {string} path of the copy
 */
export function copyApp(program, path) {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(app(program), path);
  chmodSync(path, 0o755);
}
