/** Health checks: what the daemon says of one that fails on every worker. */
/** @import { Feature } from '../../daemon/features.js' */

/** @returns {Feature} */
export const health = () => ({
  note({ link }) {
    const { healthFailsEverywhere, slots = [] } = link.snapshot ?? {};
    if (!healthFailsEverywhere) return null;
    const sick = slots.find((slot) => slot.health?.status === 'unhealthy');
    return `health check fails on every worker, so none is replaced: ${sick?.health?.reason}`;
  },
});
