/** What is the same for every engine that runs images. */

export const WORKDIR = '/app';
export const SETTINGS_DIRECTORY = '/etc/nodecluster';
export const PROBE_PORT = 9464;
/** The user `node` of the official images of Node. */
export const DEFAULT_USER = 1000;

/** Keys of settings that are left out of the file in the container: each is in the manifest, or a warning. */
export const BY_THE_ENGINE = [
  'env',
  'depends_on',
  'pid_file',
  'watch',
  'ignore_watch',
  'watch_delay',
  'out_file',
  'error_file',
  'log_file',
  'merge_logs',
  'log_rotate',
  'uid',
  'gid',
  'privileged_ports',
];

/**
 * @param {string} name of an app
 * @returns {string} the path of its ecosystem file in the container
 */
export function settingsPath(name) {
  return `${SETTINGS_DIRECTORY}/${name}.yml`;
}
