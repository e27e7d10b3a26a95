/** When a worker is replaced though nothing is wrong with it. */
import * as type from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

/** @type {FeatureOptions} */
export const wear = {
  group: 'Restarts',
  options: [
    {
      key: 'max_memory_restart',
      type: type.size({ min: 1024 ** 2 }),
      defaultText: 'no limit',
      isOfService: true,
      description:
        'A worker that uses more memory than this (RSS, measured every 5 s) is replaced as in a reload. Between two measurements it may use more: see [limits](../guides/limits.md).',
      flag: { brief: 'replace a worker that uses more memory: 300M', takes: 'size' },
    },
    {
      key: 'max_requests',
      type: type.integer({ min: 1 }),
      defaultText: 'no limit',
      inForkMode: ', where requests are not counted',
      isOfService: true,
      description:
        'A worker that has answered this many HTTP requests is replaced as in a reload, up to 10 % earlier or later, so that they are not all replaced together. Cluster mode only.',
      flag: { takes: 'number' },
    },
    {
      key: 'max_age',
      type: type.duration({ min: 1000 }),
      defaultText: 'no limit',
      isOfService: true,
      description:
        'A worker that is this old is replaced as in a reload, up to 10 % earlier or later.',
    },
  ],
};
