/** What `prove` shows: a row for each event, and the verdict. */
import { escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { formatElapsed } from '../../shared/units.js';
import { formatCount } from '../../show/quantity.js';
import { drawTable } from '../../show/terminal/table.js';
import { isProven, lostBeyond } from './verdict.js';

/**
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { Event } from './verdict.js'
 */

const HEADS = ['event', 'requests', 'lost', 'in flight', 'longest wait', 'whole after'];

/** @type {Record<string, string>} */
const NAMES = {
  worker: 'worker killed',
  primary: 'primary killed',
  daemon: 'daemon killed',
};

/** @param {readonly Event[]} events @param {Terminal} terminal */
export function renderEvents(events, terminal) {
  const { dim, red } = paint(terminal);
  const rows = events.map((each) => [
    NAMES[each.event] ?? each.event,
    String(each.requests),
    lostBeyond(each) > 0 ? red(String(each.lost)) : String(each.lost),
    each.lost > 0 ? String(each.inFlight) : '',
    `${each.longestWaitMs}ms`,
    each.wholeMs > 0 ? formatElapsed(each.wholeMs) : '',
  ]);
  const right = /** @type {const} */ ({ align: 'right' });
  return drawTable(
    [HEADS.map((head) => dim(head)), ...rows],
    [{}, ...HEADS.slice(1).map(() => right)],
  ).join('\n');
}

/** @param {string} app @param {readonly Event[]} events @param {Terminal} terminal */
export function renderVerdict(app, events, terminal) {
  const { green, red } = paint(terminal);
  const name = escapeLine(app);
  if (isProven(events)) {
    const inFlight = events.reduce((sum, each) => sum + each.inFlight, 0);
    const lost =
      inFlight === 0
        ? 'no request was lost'
        : `only ${formatCount(inFlight, 'request')} that a killed process was handling ${inFlight === 1 ? 'was' : 'were'} lost`;
    return `${green('✔')} ${name}: proven, ${lost}.`;
  }
  const lines = events.flatMap((each) => troublesOf(each));
  return [`${red('✖')} ${name}: not proven.`, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** @param {Event} event */
function troublesOf(event) {
  const name = NAMES[event.event] ?? event.event;
  const reasons = Object.entries(event.reasons).map(([reason, count]) => `${count} × ${reason}`);
  const lost = `${formatCount(lostBeyond(event), 'request')} lost (${escapeLine(reasons.join(', '))})`;
  return [
    ...(lostBeyond(event) > 0 ? [`${name}: ${lost}`] : []),
    ...(event.trouble === null ? [] : [`${name}: ${escapeLine(event.trouble)}`]),
  ];
}
