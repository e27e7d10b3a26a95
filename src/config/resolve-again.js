/** The program behind an app that was started with `npm start` or the like may change with a deploy. */
import { NodeclusterError } from '../errors/error.js';
import { isOtherUser } from '../shared/home.js';
import { onDemand } from '../shared/package/on-demand.js';

/** @import { Spec } from './spec.js' */

/** The daemon resolves no other program. */
const flags = onDemand(() => import('./flags.js'));

/** Not for an app of another user, whose files would be read with more rights than that user has. @param {Spec} spec */
export async function resolveAgain(spec) {
  if (spec.resolvedFrom === null || isOtherUser(spec.uid)) return spec;
  const next = await programNow(spec);
  if (next.execMode === spec.execMode) return next;
  const reason = next.modeReason ?? `it would run in ${next.execMode} mode`;
  throw new NodeclusterError('E_PROGRAM_CHANGED', { app: spec.name, reason });
}

/** @param {Spec} spec @returns {Promise<Spec>} */
async function programNow(spec) {
  try {
    const { changeByFlags } = await flags();
    const { spec: next } = changeByFlags({ ...spec, instances: 1 }, {}, '/');
    const { script, args, nodeArgs, cwd, execMode, resolvedFrom, modeReason } = next;
    return { ...spec, script, args, nodeArgs, cwd, execMode, resolvedFrom, modeReason };
  } catch (error) {
    const { message } = NodeclusterError.from(error);
    throw new NodeclusterError('E_PROGRAM_CHANGED', { app: spec.name, reason: message });
  }
}
