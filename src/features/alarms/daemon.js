/** Alarms of apps (`on`): what happens to them is delivered to a command or a server. */
import { Alarms } from './daemon/alarms.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export function alarms({ paths, events, log }) {
  const all = new Alarms({ home: paths.home, events, log });
  return {
    published: (app, event, isAgain) => all.note(app, event, isAgain),
    record: (app, fields) => (fields.includes('details') ? { alarms: all.view(app) } : {}),
    ending: () => all.end(),
    words: {
      'alarm.failed': ({ reason }) => `an alarm failed: ${reason}`,
      'alarm.undelivered': ({ reason }) => `an alarm was not delivered: ${reason}`,
    },
  };
}
