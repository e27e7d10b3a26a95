/** A worker gets the variables of `env_from` as they are when it is started. */
import { readSources } from './read.js';

/** @import { MakeFeature } from '../../primary/features.js' */

/** @type {MakeFeature} */
export const envFrom = () => ({
  worker(worker) {
    const { spec, cwd, env } = worker.launch;
    if (spec.envFrom.length === 0) return {};
    const ended = new AbortController();
    worker.once('exit', () => ended.abort());
    const context = { cwd, env, signal: ended.signal };
    return { variables: () => readSources(spec.envFrom, context) };
  },
});
