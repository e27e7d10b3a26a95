/**
 * @param {string} text
 * @param {Record<string, string>} variables
 * @returns {string} with the value of NAME in place of each `${NAME}`
 * @throws {Error} if a variable is not set
 */
export function expandVariables(text, variables) {
  return text.replace(/\$\{(\w+)\}/g, (_, name) => {
    if (!Object.hasOwn(variables, name)) throw new Error(`the variable ${name} is not set`);
    return variables[name];
  });
}
