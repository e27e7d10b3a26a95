/** Says that a daemon or a primary runs another version than the command, and what to type. */
import { VERSION } from '../../../shared/version.js';

/** @import { AppView, DaemonIdentity } from '../../../protocol/shapes.js' */

const MAX_NAMES = 5;

/**
 * @param {Pick<DaemonIdentity, 'version'> | null} daemon
 * @param {Pick<AppView, 'name' | 'primaryVersion'>[]} apps
 * @param {string} [own] the version of this command
 * @returns {string[]} one line; none: all run this version, or it is not known
 */
export function describeOtherVersions(daemon, apps, own = VERSION) {
  const daemonAge = ageOf(daemon?.version, own);
  const primaries = apps.filter(({ primaryVersion }) => ageOf(primaryVersion, own));
  const facts = daemonAge ? [`the daemon (${daemonAge})`] : [];
  for (const version of new Set(primaries.map(({ primaryVersion }) => primaryVersion))) {
    const names = primaries.filter((app) => app.primaryVersion === version).map(({ name }) => name);
    facts.push(`the primary of ${namesText(names)} (${ageOf(version, own)})`);
  }
  if (facts.length === 0) return [];
  const command = primaries.length > 0 ? 'nodecluster update --apps' : 'nodecluster update';
  const what = primaries.length + Number(daemonAge !== null) > 1 ? 'them' : 'it';
  return [
    `Another version than this command (${own}): ${facts.join(', ')}. \`${command}\` replaces ${what}.`,
  ];
}

/**
 * @param {string | null | undefined} version of a process
 * @param {string} [own] the version of this command
 * @returns {string | null} `older, 0.1.0`; null: it is the same, or not known
 */
export function ageOf(version, own = VERSION) {
  if (!version || version === own) return null;
  const order = numberOf(version).localeCompare(numberOf(own), 'en', { numeric: true });
  const age = order < 0 ? 'older' : order > 0 ? 'newer' : 'another';
  return `${age}, ${version}`;
}

/** @param {string[]} names */
function namesText(names) {
  const others = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return others > 0 ? `${shown} and ${others} more` : shown;
}

/** @param {string} version @returns {string} without `-beta.1` */
function numberOf(version) {
  return version.replace(/-.*/, '');
}
