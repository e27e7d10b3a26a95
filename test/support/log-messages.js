/** Reads the output of programs back from log files in the default format. */
import { readFileSync } from 'node:fs';
import { makeLineFormat } from '../../src/shared/log-files/log-line.js';

const format = makeLineFormat({ type: 'text', time: true, dateFormat: null });

export function logLines(file) {
  return readFileSync(file, 'utf8').split('\n').slice(0, -1).map(format.read);
}

export function loggedText(file) {
  return logLines(file)
    .map(({ message }) => `${message}\n`)
    .join('');
}
