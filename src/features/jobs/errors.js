/** @import { ErrorEntry } from '../../errors/exit-codes.js' */

/** @type {Record<string, ErrorEntry>} */
export const codes = {
  E_SCALE_JOB: {
    exitCode: 'usage',
    message: ({ app }) => `Cannot scale ${app}: a job runs one process at a time.`,
    hint: 'For a second process at the same times, start the program again with another --name.',
  },
  E_NOT_A_JOB: {
    exitCode: 'refused',
    message: ({ app }) => `App ${app} is not a job: it has no schedule.`,
    hint: ({ app }) => `\`nodecluster restart ${app}\` runs its program again.`,
  },
  E_JOB_STOPPED: {
    exitCode: 'refused',
    message: ({ app }) => `Could not run job ${app}: it is stopped.`,
    hint: ({ app }) => `Start it with \`nodecluster start ${app}\`, then repeat the command.`,
  },
  E_JOB_RUNS: {
    exitCode: 'refused',
    message: ({ app }) => `Job ${app} was not touched: its last run has not ended.`,
    hint: ({ app }) =>
      `Wait until it has ended, or stop it with \`nodecluster restart ${app}\`. With \`overlap: replace\`, a new run stops the last one.`,
  },
};
