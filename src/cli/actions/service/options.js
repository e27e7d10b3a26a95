/** What `startup` and `unstartup` take alike. */

/** @import { CommandArgument, CommandOption } from '../../verbs.js' */

/** @type {CommandArgument} */
export const platformArgument = {
  name: '[platform]',
  summary: 'systemd, launchd or openrc; default: what this machine runs',
};

/** @type {CommandOption[]} */
export const serviceOptions = [
  {
    flags: '-u, --user [name]',
    summary:
      "without a name, use your own service manager, without root; with a name, run that user's apps",
  },
  {
    flags: '--hp <directory>',
    summary: 'home directory of the user, as in PM2; nodecluster uses .nodecluster in it',
    isRare: true,
  },
];
