/** The agent takes what it uses of the process when it is loaded. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function freshAgent(file) {
  for (const each of Object.keys(require.cache)) {
    if (each.includes('/src/agent/')) delete require.cache[each];
  }
  return require(`../../src/agent/${file}`);
}
