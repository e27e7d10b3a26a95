import { cronPattern } from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

/** @type {FeatureOptions} */
export const cron = {
  group: 'Automatic reloads',
  options: [
    {
      key: 'cron_restart',
      type: cronPattern,
      isOfService: true,
      description:
        'Reload the app at these times: a cron pattern of five fields, or six with seconds first, in the local time of the daemon or in `timezone`.',
      aliases: ['cron'],
      flag: { brief: 'reload at these times: "0 3 * * *"', short: '-c', takes: 'pattern' },
      pm2: [{ flags: '--cron <pattern>' }],
    },
  ],
};
