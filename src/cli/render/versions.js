/** Other versions than that of the command: which processes still run one, and what `update` changed. */
import { groupBy } from '../../shared/groups.js';
import { VERSION, compareVersions } from '../../shared/version.js';
import { namesText } from '../../show/quantity.js';

/** @import { App, DaemonIdentity } from '../../protocol/shapes.js' */

/** Of this command. */
const OWN = { version: VERSION, node: process.version };

/**
 * @param {Partial<DaemonIdentity> | null} daemon
 * @param {Pick<App, 'name' | 'primaryVersion' | 'primaryNode'>[]} apps
 * @param {{version: string, node: string}} [own] of this command
 * @returns {string[]} one line; none: all run these versions, or it is not known
 */
export function describeOtherVersions(daemon, apps, own = OWN) {
  const age = daemon && oldnessOf(daemon, own);
  const primaries = groupBy(apps, ({ primaryVersion: version, primaryNode: node }) =>
    oldnessOf({ version, node }, own),
  );
  primaries.delete(null);
  const facts = [
    ...(age ? [`the daemon (${age})`] : []),
    ...[...primaries].map(
      ([of, group]) => `the primary of ${namesText(group.map(({ name }) => name))} (${of})`,
    ),
  ];
  if (facts.length === 0) return [];
  const command = primaries.size > 0 ? 'nodecluster update --apps' : 'nodecluster update';
  const ownText = `${own.version}, Node ${own.node.slice(1)}`;
  const what = facts.join(', ');
  return [`Another version than this command (${ownText}): ${what}. Run \`${command}\`.`];
}

/**
 * A newer Node than that of this command is not mentioned: with several shells, that is no reason to do anything.
 * @param {{version?: string | null, node?: string | null}} process node: `v22.11.0`; null: not known
 * @param {{version: string, node: string}} [own] of this command
 * @returns {string | null} `older, 0.1.0` or `older, Node 20.12.0`; null: nothing to replace, or not known
 */
export function oldnessOf({ version, node }, own = OWN) {
  if (version && version !== own.version) {
    const order = Math.sign(compareVersions(version, own.version));
    return `${['older', 'another', 'newer'][order + 1]}, ${version}`;
  }
  const isOlder = Boolean(node) && node !== own.node && compareVersions(node ?? '', own.node) < 0;
  return isOlder ? `older, Node ${node?.slice(1)}` : null;
}

/** @param {DaemonIdentity} before @param {DaemonIdentity} after of the same process: nothing was done */
export function describeUpdate(before, after) {
  const node = after.node.slice(1);
  if (after.pid === before.pid) {
    return `The daemon is up to date: nodecluster ${after.version}, Node ${node}, pid ${after.pid}.`;
  }
  const isEarlier = compareVersions(after.version, before.version) < 0;
  const changes = [
    `nodecluster ${change(before.version, after.version)}${isEarlier ? ' (an earlier version)' : ''}`,
    ...(before.node === after.node ? [] : [`Node ${change(before.node.slice(1), node)}`]),
    `pid ${change(before.pid, after.pid)}`,
  ];
  return `Updated the daemon: ${changes.join(', ')}.`;
}

/** @param {string | number} from @param {string | number} to */
function change(from, to) {
  return from === to ? String(to) : `${from} → ${to}`;
}
