/** A reload whose first workers are judged before the others follow: the primary judges, the daemon says how it goes. */
import { NodeclusterError } from '../../errors/error.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

/** What a user asks for in these words does not wait until a canary is judged. */
const END_TRIAL = ['stop', 'delete', 'restart', 'scale'];

/** @type {MakeFeature} */
export const canary = (door) => ({
  record: ({ link }) => (link.snapshot?.canary ? { canary: link.snapshot.canary } : {}),
  asked({ command, waits: { link } = {} }) {
    if (!END_TRIAL.includes(command) || !link?.snapshot?.canary) return;
    link.request('end-trial', {}).catch(() => {});
  },
  check(app, _action, { spec = app.spec, canary: order }) {
    if (order && !door.servesBeside(app, spec))
      throw new NodeclusterError('E_CANARY', { app: app.name });
  },
});
