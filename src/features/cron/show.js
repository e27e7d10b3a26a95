/** When `cron_restart` comes next: also what starts an app again that has exited. */
import { formatCountdown, formatMoment } from '../../show/quantity.js';

/** @import { ShowFeature } from '../../show/features.js' */

/** @type {ShowFeature} */
export const cron = {
  worker({ nextReloadAt }, { status }, now) {
    if (nextReloadAt === undefined || status !== 'exited') return null;
    return `exited, next start in ${formatCountdown(nextReloadAt - now)}`;
  },
  facts({ nextReloadAt }, now) {
    if (nextReloadAt === undefined) return [];
    const wait = formatCountdown(nextReloadAt - now);
    return [['next cron_restart', `${formatMoment(nextReloadAt)}, in ${wait}`]];
  },
};
