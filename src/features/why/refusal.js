/**
 * @typedef {object} Facts about a worker whose JavaScript somebody wants to see
 * @property {string | null} ending why it is being stopped, or '' for a command; null: it is not
 * @property {string | null} program that is not Node, such as python3; null: it is one of Node
 * @property {boolean} isResponsive its agent replies
 * @property {boolean} isConnected its program has not closed the channel to the primary
 * @property {boolean} ownsSignal its program handles SIGUSR1 itself
 * @property {boolean} hasOwnInspector its inspector was set up by options of Node
 */

/**
 * An agent that replies opens the inspector itself. Otherwise SIGUSR1 does, if Node gets it.
 * @param {Facts} facts
 * @returns {string | null} why its inspector must not be opened; null: it may be
 */
export function refusalOf(facts) {
  const { ending, program, isResponsive, isConnected, ownsSignal, hasOwnInspector } = facts;
  if (ending !== null) return ending === '' ? 'is being stopped' : `is being stopped: ${ending}`;
  if (program !== null) return `runs ${program}, which is not Node`;
  if (isResponsive) return null;
  if (!isConnected) return 'has closed the channel to its parent, so it cannot be asked';
  if (hasOwnInspector) return 'has its own options for the inspector: attach a debugger there';
  return ownsSignal
    ? 'handles SIGUSR1 itself, so its inspector cannot be opened while it is blocked'
    : null;
}
