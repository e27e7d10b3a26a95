/** What is noteworthy about a worker, in words that follow its name. */
import { portsOf } from '../lifecycle/listening.js';

/** @import { Note } from '../protocol/shapes.js' */

/** @type {{[K in Note['kind']]: (note: Extract<Note, {kind: K}>) => string}} */
const texts = {
  silent: () => 'runs, but listens on nothing',
  ended: () =>
    'exited with code 0 and is started again; to leave it stopped: `--no-autorestart`, or stop_exit_codes: 0',
  manager: ({ program }) => `runs ${program}, and the program that it starts does not listen yet`,
  elsewhere: ({ ports, asked }) => `listens on port ${ports.join(', ')} instead of ${asked}`,
  unshared: ({ addresses, holder }) =>
    `does not listen on ${addresses.map(placeText).join(', ')} as :${holder} does, since only one worker can. If every worker starts what listens there, run only one (\`-i 1\`)`,
  'left-work': ({ text }) => text,
  gone: ({ addresses }) =>
    `does not listen on ${addresses.map(placeText).join(', ')} so far, unlike the worker before it`,
  crashed: ({ reason }) => `${reason} after it had taken over, and was started again`,
  below: ({ places, isAlone }) => {
    const where = places.map(({ address, by }) => `${placeText(address)} by ${by}`);
    const other = isAlone
      ? 'the program that listens in its place'
      : 'what listens there as an app of its own';
    return `listens on ${where.join(', ')}, which workers cannot share: a reload stops it before the next one starts, and requests there are refused meanwhile. Start ${other}`;
  },
};

/** @param {string} address */
function placeText(address) {
  return portsOf([address])[0] ?? address;
}

/** @param {Note} note @returns {string} */
export function noteText(note) {
  return /** @type {any} */ (texts)[note.kind](note);
}
