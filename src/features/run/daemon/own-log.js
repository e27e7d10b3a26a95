/** What `run` says itself: lines on stderr, in the format of its apps. */
import { makeLineFormat } from '../../../shared/log-files/log-line.js';
import { StandardStream } from '../../../shared/log-files/standard-stream.js';
import { makeLog } from '../../../daemon/log.js';
import { ownLine } from './own-line.js';

/**
 * @import { LineStyle } from '../../../shared/log-files/log-line.js'
 * @import { EntryWords } from '../../../daemon/features.js'
 * @import { Log } from '../../../daemon/log.js'
 */

/** Stands for the app in a line about none. */
const OWN_NAME = 'run';

/**
 * @param {number} fd
 * @param {LineStyle} style
 * @param {() => EntryWords} wordsOfFeatures
 * @returns {Log & {say: (app: string, text: string | null) => void, flushed: () => Promise<void>}}
 *   say: null is not shown; flushed: what was said has been written
 */
export function openOwnLog(fd, style, wordsOfFeatures) {
  const format = makeLineFormat(style);
  const lineOf = (/** @type {string} */ app, /** @type {string} */ text) => {
    const lines = style.type === 'json' ? [text] : text.split('\n');
    return Buffer.concat(lines.map((line) => format.writeOwn(app, line, Date.now())));
  };
  const stream = new StandardStream(fd, { ownLine: (text) => lineOf(OWN_NAME, text) });
  const say = (/** @type {string} */ app, /** @type {string | null} */ text) => {
    if (text !== null) stream.write(lineOf(app, text));
  };
  const log = makeLog((level, event, fields, common) => {
    const entry = { ...common, ...fields, event, level };
    say(String(common.app ?? fields.app ?? OWN_NAME), ownLine(entry, wordsOfFeatures()));
  });
  return Object.assign(log, { say, flushed: () => stream.flushed() });
}
