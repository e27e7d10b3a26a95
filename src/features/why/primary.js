/** Looks into workers: where a blocked one is, and profiles. */
import { Inspections } from './primary/inspections.js';

/** @import { MakeFeature } from '../../primary/features.js' */

/** @type {MakeFeature} */
export function why({ pool }, directory) {
  const inspections = new Inspections(pool, directory);
  return {
    methods: {
      why: (params) => inspections.why(params),
      profile: (params) => inspections.profile(params),
    },
  };
}
