import { boolean } from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

/** @type {FeatureOptions} */
export const programMetrics = {
  group: 'Health and metrics',
  options: [
    {
      key: 'program_metrics',
      type: boolean,
      default: true,
      description:
        'Whether `nodecluster metrics` also has what the program counts with `prom-client`, added up over the workers. The workers are asked only when the metrics are requested, and nothing is done where the program has not loaded `prom-client`.',
      example: false,
      flag: {
        negated: true,
        help: "Leave the program's own metrics (prom-client) out of `nodecluster metrics`. Default: they are in it, added up over the workers.",
      },
    },
  ],
};
