import { runMonit } from './run.js';

/** @import { CommandData } from '../../cli/verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'watch and control all workers live on the full screen',
  details:
    'Shows the workers with their resource use and their own measurements, and the log of the ' +
    'selected one. `?` shows the keys. Workers measure only while a client watches.',
  arguments: [],
  options: [],
  examples: ['nodecluster monit'],
};

export const run = runMonit;
