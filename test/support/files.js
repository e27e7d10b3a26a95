/** Writing the files of a test. */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from './home.js';

/**
 * @param {string} folder
 * @param {Record<string, unknown>} files name → text, or a value to be written as JSON, which
 *   every YAML reader reads too
 */
export function writeFiles(folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/**
 * @param {string} program one of test/fixtures/apps
 * @param {string} path where the copy goes
 */
export function copyApp(program, path) {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(app(program), path);
  chmodSync(path, 0o755);
}
