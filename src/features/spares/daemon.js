/** What the primary says of the spares of an app. */

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export const spares = () => ({
  record: ({ link }) => (link.snapshot?.spares ? { spares: link.snapshot.spares } : {}),
});
