import { fileURLToPath } from 'node:url';

/** How this daemon was started, for the primaries that start the next one. */
export const OWN_LAUNCH = {
  execPath: process.execPath,
  script: fileURLToPath(new URL('main.js', import.meta.url)),
};
