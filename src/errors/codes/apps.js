import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** Scaling, reloads with a canary, and looking into workers. @type {Record<string, ErrorEntry>} */
export const appCodes = {
  E_SCALE_COUNT: {
    exitCode: exitCodes.usage,
    message: ({ instances, present }) =>
      /^-\d+$/.test(instances)
        ? `Cannot scale by ${instances}: the app has only ${present} worker${present === 1 ? '' : 's'}.`
        : `Cannot scale to ${JSON.stringify(instances)}: use a number from 1 to 1000, +N, -N or max.`,
    hint: () => 'To stop all workers and keep the app, use `nodecluster stop`.',
  },
  E_SCALE_FORK: {
    exitCode: exitCodes.refused,
    message: ({ app, reason }) => `App ${app} can have only one worker, because ${reason}.`,
    hint: () =>
      'Start the Node program itself, which can share its port. A command that serves no port: start it with --exec-mode fork.',
  },
  E_SCALE_RANGE: {
    exitCode: exitCodes.refused,
    message: ({ app, count, min, max }) =>
      `Cannot scale ${app} to ${count}: it scales itself between ${min} and ${max} workers.`,
    hint: ({ app, count }) =>
      `For a fixed number, use \`nodecluster reload ${app} -i ${count}\`; other limits belong in \`instances\` of its file.`,
  },
  E_SCALE_SELECTOR: {
    exitCode: exitCodes.usage,
    message: ({ selector }) =>
      `Cannot scale ${selector}: scale takes one app, not a worker or several apps.`,
    hint: () => 'Name one app: `nodecluster scale api 4`.',
  },
  E_INSPECT: {
    exitCode: exitCodes.appFailed,
    message: ({ app, slot, reason }) => `Could not look into ${app}:${slot}: it ${reason}.`,
    hint: ({ app, slot }) =>
      `\`nodecluster describe ${app}\` shows what is known about worker ${slot}.`,
  },
  E_PROFILE_SELECTOR: {
    exitCode: exitCodes.usage,
    message: ({ selector, count }) =>
      `Cannot profile ${selector}: a profile is of one worker, and these are ${count}.`,
    hint: ({ worker }) => `Name one of them: \`nodecluster profile ${worker} --cpu 10s\`.`,
  },
  E_PROFILE_EXISTS: {
    exitCode: exitCodes.refused,
    message: ({ file }) => `${file} already exists and was not changed.`,
    hint: () => 'Remove it, or name another file with `--output`.',
  },
  E_PROFILE_LOST: {
    exitCode: exitCodes.appFailed,
    message: ({ app, slot, reason }) =>
      `The profile of ${app}:${slot} is not complete, so no file was written: ${reason}.`,
    hint: ({ app }) => `\`nodecluster describe ${app}\` shows whether the worker was replaced.`,
  },
  E_CANARY: {
    exitCode: exitCodes.refused,
    message: ({ app, obstacle }) => {
      /** @type {Record<string, string>} */
      const reasons = {
        fork: 'it runs in fork mode, where two workers cannot serve side by side',
        primary: 'the new settings need another primary',
      };
      return `${app} was not reloaded, because a canary cannot be judged: ${reasons[obstacle]}.`;
    },
    hint: () => 'Reload it without --canary.',
  },
};
