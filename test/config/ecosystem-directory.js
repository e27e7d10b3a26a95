/** A directory with an ecosystem file and the programs that it names. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadFile } from '../../src/config/file/load.js';
import { resolveApps } from '../../src/config/resolve/apps.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const COMMANDS = ['python3', 'bash', 'php', 'ruby', 'npm'];

export function ecosystemDirectory(t, files = {}) {
  const directory = temporaryDirectory(t);
  const write = (name, content) => {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  };
  for (const name of ['app.js', 'web.js', 'worker.py', 'job.sh']) write(name, '');
  write('package.json', JSON.stringify({ name: 'app' }));
  for (const name of COMMANDS) {
    write(`bin/${name}`, '');
    chmodSync(join(directory, 'bin', name), 0o755);
  }
  for (const [name, content] of Object.entries(files)) write(name, content);

  const shellEnv = { PATH: join(directory, 'bin') };
  const resolve = async (name, options = {}) => {
    const document = await loadFile(name, { cwd: directory, stdin: options.stdin });
    return resolveApps({ document, shellEnv, ...options });
  };
  /** The message of the error that a file gives, with the directory written as HERE. */
  const refusal = async (name, options) => {
    try {
      await resolve(name, options);
    } catch (error) {
      return {
        code: error.code,
        exit: error.exitCode,
        text: error.message.replaceAll(directory, 'HERE'),
      };
    }
    throw new Error(`${name} was taken`);
  };
  const writtenAs = (name, text) => {
    write(name, text);
    return name;
  };
  const resolveText = (text, options) => resolve(writtenAs('x.yml', text), options);
  const refusalOf = (text, options) => refusal(writtenAs('x.yml', text), options);
  return { directory, write, resolve, resolveText, refusal, refusalOf, shellEnv };
}
