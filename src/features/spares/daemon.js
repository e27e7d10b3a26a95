/** What the primary says of the spares of an app. */

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export const spares = () => ({
  levels: { 'worker.replaced': 'info' },
  record: ({ link }) => (link.snapshot?.spares ? { spares: link.snapshot.spares } : {}),
});
