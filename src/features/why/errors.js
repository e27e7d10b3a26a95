/** @import { ErrorEntry } from '../../errors/exit-codes.js' */

/** @type {Record<string, ErrorEntry>} */
export const codes = {
  E_INSPECT: {
    exitCode: 'appFailed',
    message: ({ app, slot, reason }) => `Could not inspect ${app}:${slot}: it ${reason}.`,
    hint: ({ app, slot }) =>
      `\`nodecluster why ${app}:${slot}\` shows where it is blocked, or what else is wrong.`,
  },
  E_PROFILE_SELECTOR: {
    exitCode: 'usage',
    message: ({ selector, count }) =>
      `Cannot profile ${selector}: profile takes one worker, not ${count}.`,
    hint: ({ worker }) => `Name one of them: \`nodecluster profile ${worker} --cpu 10s\`.`,
  },
  E_PROFILE_LOST: {
    exitCode: 'appFailed',
    message: ({ app, slot, reason }) =>
      `The profile of ${app}:${slot} is not complete, so no file was written: ${reason}.`,
    hint: ({ app, slot }) =>
      `\`nodecluster why ${app}:${slot}\` shows whether it is blocked, \`nodecluster describe ${app}\` whether it was replaced.`,
  },
};
