/** A reload whose first workers are judged before the others follow: the primary judges, the daemon says how it goes. */
import { NodeclusterError } from '../../errors/error.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { emptiesFirst, needsNewPrimary } from '../../daemon/actions/replace-primary.js';

/** @import { Feature } from '../../daemon/features.js' */

/** What a user asks for in these words does not wait until a canary is judged. */
const END_TRIAL = ['stop', 'delete', 'restart', 'scale'];
const END_TRIAL_MS = 5000;

/** @returns {Feature} */
export const canary = () => ({
  record({ link, lastReload }) {
    const { canary = null, canaryTakenBack = false } = link.snapshot ?? {};
    const isLast = canaryTakenBack && lastReload?.ok === false;
    return withoutNulls({ canary, canaryTakenBack: isLast || null });
  },
  addedMs: ({ canary: order }) => order?.forMs ?? 0,
  waits({ link }, action) {
    if (!END_TRIAL.includes(action) || !link.snapshot?.canary) return;
    // Without a reply the command waits for the end of the reload, like every other.
    link.request('end-trial', {}, { timeoutMs: END_TRIAL_MS }).catch(() => {});
  },
  check(app, _action, { spec = app.spec, canary: order }) {
    if (!order) return;
    const { name, spec: old } = app;
    const isAlone = emptiesFirst(app) ? 'alone' : null;
    const obstacle = old.execMode === 'fork' ? 'fork' : isAlone;
    if (obstacle === null && !needsNewPrimary(old, spec)) return;
    throw new NodeclusterError('E_CANARY', { app: name, obstacle: obstacle ?? 'primary' });
  },
});
