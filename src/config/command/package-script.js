/** A script of package.json: its line, and the variables that a package manager sets for it. */

/**
 * @param {Record<string, any>} packageJson nothing in it has been checked
 * @param {string} name of the script
 * @returns {string | null} null: there is none
 */
export function scriptLine(packageJson, name) {
  const scripts = packageJson.scripts;
  const line = scripts && Object.hasOwn(scripts, name) ? scripts[name] : null;
  return typeof line === 'string' && line.trim() !== '' ? line : null;
}

/**
 * @param {Record<string, any>} packageJson
 * @param {string} name of a script
 * @returns {string | null} the script that runs before or after it
 */
export function scriptAround(packageJson, name) {
  const around = [`pre${name}`, `post${name}`];
  return around.find((each) => scriptLine(packageJson, each) !== null) ?? null;
}

/**
 * The variables of npm that programs rely on. The settings of npm itself are left out.
 * @param {Record<string, any>} packageJson
 * @param {{file: string, script: string, line: string, cwd: string}} run `file`: of the package.json; `cwd`:
 *   where npm was called
 * @returns {Record<string, string>}
 */
export function scriptVariables(packageJson, { file, script, line, cwd }) {
  const { name, version, config } = packageJson;
  const settings = Object.entries(config && typeof config === 'object' ? config : {})
    .filter(([key, value]) => /^\w+$/.test(key) && /^(string|number|boolean)$/.test(typeof value))
    .map(([key, value]) => [`npm_package_config_${key}`, String(value)]);
  return {
    ...(typeof name === 'string' && { npm_package_name: name }),
    ...(typeof version === 'string' && { npm_package_version: version }),
    ...Object.fromEntries(settings),
    npm_package_json: file,
    npm_lifecycle_event: script,
    npm_lifecycle_script: line,
    INIT_CWD: cwd,
  };
}
