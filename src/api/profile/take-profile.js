/** profile() of a program. */
import { openProfileFile } from './profile-file.js';

/**
 * @import { DaemonClient, ProfileKind } from '../../protocol/methods.js'
 * @import { ProfileOptions, SavedProfile } from '../types.js'
 */

/**
 * @param {DaemonClient} client
 * @param {{selector: string} & ProfileKind} order
 * @param {{cwd: string} & Pick<ProfileOptions, 'output' | 'signal'>} how
 * @returns {Promise<SavedProfile>}
 */
export async function takeProfile(client, order, { cwd, output, signal }) {
  const offer = await client.request('profile', order);
  return openProfileFile(offer, { kind: order.kind, cwd, output })(signal);
}
