/** @import { PrimaryLink } from './link.js' */

/**
 * A command of an earlier daemon may still be in progress.
 * @param {PrimaryLink} link
 * @returns {Promise<void>} when the primary is idle or lost
 */
export function whenIdle(link) {
  return new Promise((resolve) => {
    const check = () => {
      // While it is looked for, what it last reported counts.
      if (link.state !== 'none' && link.snapshot?.busy) return;
      link.off('state', check).off('lost', check);
      resolve();
    };
    link.on('state', check).on('lost', check);
    check();
  });
}
