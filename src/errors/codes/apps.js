/** @import { ErrorEntry } from '../catalogue.js' */

/** Scaling. @type {Record<string, ErrorEntry>} */
export const appCodes = {
  E_SCALE_COUNT: {
    exitCode: 'usage',
    message: ({ instances, present }) =>
      /^-\d+$/.test(instances)
        ? `Cannot scale by ${instances}: the app has only ${present} worker${present === 1 ? '' : 's'}.`
        : `Cannot scale to ${JSON.stringify(instances)}: use a number from 1 to 1000, +N, -N or max.`,
    hint: () => 'To stop all workers and keep the app, use `nodecluster stop`.',
  },
  E_SCALE_FORK: {
    exitCode: 'refused',
    message: ({ app, reason }) => `App ${app} can have only one worker, because ${reason}.`,
    hint: () =>
      'Start the Node program itself, which can share its port. A command that serves no port: start it with --exec-mode fork.',
  },
  E_SCALE_RANGE: {
    exitCode: 'refused',
    message: ({ app, count, min, max }) =>
      `Cannot scale ${app} to ${count}: it scales itself between ${min} and ${max} workers.`,
    hint: ({ app, count }) =>
      `For a fixed number, use \`nodecluster reload ${app} -i ${count}\`; other limits belong in \`instances\` of its file.`,
  },
  E_SCALE_SELECTOR: {
    exitCode: 'usage',
    message: ({ selector }) =>
      `Cannot scale ${selector}: scale takes one app, not a worker or several apps.`,
    hint: () => 'Name one app: `nodecluster scale api 4`.',
  },
};
