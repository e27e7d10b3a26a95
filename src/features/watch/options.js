/** Which changed files cause a reload, and when. */
import path from 'node:path';
import * as list from '../../config/types/lists.js';
import { duration } from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

/** @type {FeatureOptions} */
export const watch = {
  group: 'Automatic reloads',
  options: [
    {
      key: 'watch',
      type: list.watchedPaths,
      default: false,
      inDirectory: (watched, cwd) =>
        Array.isArray(watched) ? watched.map((each) => path.resolve(cwd, each)) : watched,
      description:
        'Reload the app when a file changes: in `cwd`, or in the paths that the ecosystem file lists. The flag takes no paths. At most 20,000 directories are watched, and other file systems only if they are listed; `ls` names what is not.',
      flag: { brief: 'reload when a file in the working directory changes' },
      pm2: [
        { keys: ['watch_options'], advice: 'use watch, ignore_watch and watch_delay' },
        {
          flags: '--ext <extensions>',
          advice: 'list what to watch in the ecosystem file (watch), or what not: --ignore-watch',
        },
      ],
    },
    {
      key: 'ignore_watch',
      // `~$*` are the temporary files of an office.
      type: list.paths((pattern) => pattern.replace(/^~(?!\/)/, '')),
      default: [],
      description:
        'Files and directories whose changes are ignored, as in a .gitignore relative to `cwd`: names at any depth (`*.log`), or paths (`public/uploads`, `tmp/**`). node_modules, .git, logs, the home directory of nodecluster, and the log files and pid files of all apps are always ignored.',
      flag: { takes: 'path', repeatable: true },
      pm2: [{ flags: '--ignore_watch <path>', advice: 'use --ignore-watch' }],
    },
    {
      key: 'watch_delay',
      type: duration(),
      default: '200ms',
      description:
        'How long to wait for further changes before the reload. A file that has caused three within a minute causes the next one later, at most a minute.',
    },
  ],
};
