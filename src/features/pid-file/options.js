/** The pid of a worker in a file, for tools that look there. */
import * as type from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

/** @type {FeatureOptions} */
export const pidFile = {
  group: 'Starting and stopping',
  options: [
    {
      key: 'pid_file',
      type: type.path('the path of a file'),
      description:
        'A file that contains the pid of the worker while it runs, relative to `cwd`. With several workers each has its own, with its number before the extension: `api-0.pid`.',
      aliases: ['pid'],
      flag: { short: '-p', long: '--pid', takes: 'file' },
    },
  ],
};
