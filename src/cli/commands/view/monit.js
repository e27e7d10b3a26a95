import { runMonit } from '../../monit/run.js';

/** @import { CommandData } from '../../verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'watch and command every worker, live and full screen',
  details:
    'Workers with what they take and what they measure of themselves, and the log of the one\nthat is selected. `?` shows the keys. Workers measure only while somebody watches.',
  arguments: [],
  options: [],
  examples: ['nodecluster monit'],
};

export const run = runMonit;
