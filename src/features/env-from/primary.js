/** A worker gets the variables of `env_from` as they are when it is started. */
import { readSources } from './read.js';

/** @import { MakeFeature } from '../../primary/features.js' */

/** @type {MakeFeature} */
export const envFrom = () => ({
  worker({ launch }) {
    const { envFrom: sources } = launch.spec;
    return sources.length === 0 ? {} : { variables: () => readSources(sources, launch) };
  },
});
