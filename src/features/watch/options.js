/** Which changed files cause a reload, and when. */
import path from 'node:path';
import { paths } from '../../config/types/lists.js';
import { asString, duration, typeOf } from '../../config/types/values.js';

/** @import { FeatureOptions } from '../options.js' */

export const watchedPaths = typeOf(
  'true, false, a path, or a list of paths',
  {
    type: ['boolean', 'string', 'array'],
    minLength: 1,
    not: { type: 'string', pattern: '^([Yy]es|[Nn]o|[Oo]n|[Oo]ff|[Tt]rue|[Ff]alse)$' },
    items: { type: 'string' },
  },
  (input) => {
    const { value } = input;
    if (typeof value === 'boolean') return value;
    // In YAML 1.2 yes and no are strings: a mistake, not a path.
    if (typeof value === 'string' && /^(yes|no|on|off|true|false)$/i.test(value)) {
      return input.reject('true or false');
    }
    return Array.isArray(value) || asString(input) !== null ? paths().read(input) : undefined;
  },
);

/** @type {FeatureOptions} */
export const watch = {
  group: 'Automatic reloads',
  options: [
    {
      key: 'watch',
      type: watchedPaths,
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
      type: paths((pattern) => pattern.replace(/^~(?!\/)/, '')),
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
