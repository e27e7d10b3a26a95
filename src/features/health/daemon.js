/** Health checks: what the daemon says of them. */
/** @import { Feature } from '../../daemon/features.js' */

/** @returns {Feature} */
export const health = () => ({
  note({ link }) {
    const { healthFailsEverywhere, slots = [] } = link.snapshot ?? {};
    if (!healthFailsEverywhere) return null;
    const sick = slots.find((slot) => slot.health?.status === 'unhealthy');
    return `health check fails on every worker, so none is replaced: ${sick?.health?.reason}`;
  },
  worker: ({ health: known }) => (known ? { health: known } : {}),
  levels: {
    'worker.unhealthy': 'warn',
    'worker.healthy': 'info',
    'app.unhealthy': 'error',
    'app.healthy': 'info',
  },
});
