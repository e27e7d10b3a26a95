/** A worker gets the variables of `env_from` as they are when it is started. */
import { MARK_VAR, markOfCheck } from '../../primary/processes/strays.js';
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
      if (spec.envFrom.length === 0) {
        variablesFrom = {};
        return {};
      }
      const mark = markOfCheck(worker.mark);
      return {
        async variables() {
          const ended = new AbortController();
          const stop = () => {
            ended.abort();
            // What a command has started may have left its process group.
            void worker.strays.kill(mark);
          };
          worker.once('exit', stop);
          const { envFrom: sources, instanceVar } = spec;
          const given = { ...env, [MARK_VAR]: mark };
          const context = { cwd, env: given, instanceVar, signal: ended.signal };
          try {
            const read = Object.entries(await readSources(sources, context));
            variablesFrom = Object.fromEntries(read.map(([name, { from }]) => [name, from]));
            return Object.fromEntries(read.map(([name, { value }]) => [name, value]));
          } catch (error) {
            stop();
            throw error;
          } finally {
            worker.off('exit', stop);
          }
        },
      };
    },
  };
};
