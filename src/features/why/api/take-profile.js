/** profile() of a program. */
import { currentPlace } from '../../../api/targets.js';
import { openProfileFile } from './profile-file.js';

/**
 * @import { DaemonClient, ProfileKind } from '../../../protocol/methods.js'
 * @import { ProfileOptions, SavedProfile } from '../../../api/types.js'
 */

/**
 * @param {DaemonClient} client
 * @param {{selector: string} & ProfileKind} order
 * @param {Pick<ProfileOptions, 'output' | 'signal'>} options
 * @returns {Promise<SavedProfile>}
 */
export async function takeProfile(client, order, { output, signal }) {
  const { cwd } = currentPlace();
  const offer = await client.request('profile', order);
  return openProfileFile(offer, { kind: order.kind, cwd, output })(signal);
}
