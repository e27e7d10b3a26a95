/** The processes of PM2, as `pm2 jlist` prints them or its dump has them. */

/**
 * @typedef {object} Pm2Process
 * @property {string} name
 * @property {number|null} id null in a dump
 * @property {boolean} isRunning
 * @property {Record<string, any>} settings as PM2 keeps them; nothing in them has been checked
 * @property {Record<string, unknown>} env PM2's, the shell's and the user's variables, mixed
 */

/**
 * @param {string} text JSON; `pm2 jlist` may print remarks in the lines before it
 * @returns {Pm2Process[] | null} null: it is not a list of PM2
 */
export function parsePm2List(text) {
  const start = text.search(/^\s*\[\s*([{\]]|$)/m);
  try {
    const list = JSON.parse(start === -1 ? text : text.slice(start));
    return Array.isArray(list) && list.every(isProcess) ? list.map(toProcess) : null;
  } catch {
    return null;
  }
}

/** @param {any} entry */
function isProcess(entry) {
  const settings = entry?.pm2_env ?? entry;
  if (typeof entry?.name !== 'string' || typeof settings?.pm_exec_path !== 'string') return false;
  const { pm_cwd, exec_interpreter, env } = settings;
  const id = entry.pm_id ?? 0;
  return (
    [pm_cwd, exec_interpreter].every((each) => typeof (each ?? '') === 'string') &&
    typeof (env ?? {}) === 'object' &&
    // It becomes an argument of `pm2 stop` and `pm2 delete`, which also take `all`.
    Number.isSafeInteger(id) &&
    id >= 0
  );
}

/** @param {any} entry @returns {Pm2Process} */
function toProcess(entry) {
  const { env, ...settings } = entry.pm2_env ?? entry;
  const isRunning = !['stopped', 'stopping', 'errored'].includes(settings.status);
  return { name: entry.name, id: entry.pm_id ?? null, isRunning, settings, env: env ?? {} };
}
