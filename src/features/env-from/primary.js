/** A worker gets the variables of `env_from` as they are when it is started. */
import { readSources } from './read.js';

/** @import { MakeFeature } from '../../primary/features.js' */

/** @type {MakeFeature} */
export const envFrom = () => {
  /** Where those of the last worker came from, by name. @type {Record<string, string>} */
  let variablesFrom = {};
  return {
    snapshot: () => ({ variablesFrom }),
    worker(worker) {
      const { spec, cwd, env } = worker.launch;
      if (spec.envFrom.length === 0) return {};
      const ended = new AbortController();
      worker.once('exit', () => ended.abort());
      const context = { cwd, env, signal: ended.signal };
      return {
        async variables() {
          const read = Object.entries(await readSources(spec.envFrom, context));
          variablesFrom = Object.fromEntries(read.map(([name, { from }]) => [name, from]));
          return Object.fromEntries(read.map(([name, { value }]) => [name, value]));
        },
      };
    },
  };
};
