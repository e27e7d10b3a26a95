/** For `node --import`: writes every file that the process loads to LOADED_FILES, one a line. */
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath } from 'node:url';

const { LOADED_FILES: report = '' } = process.env;
const hooks = `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(report)}, url + '\\n');
    return next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const { cache } = createRequire(import.meta.url);
process.on('exit', () => {
  const own = fileURLToPath(import.meta.url);
  const files = Object.keys(cache).filter((file) => file !== own);
  appendFileSync(report, files.map((file) => `${file}\n`).join(''));
});
