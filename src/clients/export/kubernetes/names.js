/** The names of apps as Kubernetes accepts them (RFC 1035 labels), each unique. */

/** A CronJob adds 11 characters to its name. */
const MAX_LENGTH = 52;

/**
 * @param {readonly string[]} apps
 * @returns {Map<string, string>} a name for each app
 */
export function namesOf(apps) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const taken = new Set();
  for (const app of apps) {
    const plain = labelOf(app);
    let name = plain;
    for (let next = 2; taken.has(name); next += 1)
      name = `${plain.slice(0, MAX_LENGTH - 5)}-${next}`;
    taken.add(name);
    names.set(app, name);
  }
  return names;
}

/**
 * @param {string} text
 * @returns {string} lower-case letters, digits and dashes, with a letter at the start
 */
function labelOf(text) {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const label = /^[a-z]/.test(plain) ? plain : `app-${plain}`;
  return label.replace(/--+/g, '-').slice(0, MAX_LENGTH).replace(/-+$/, '');
}
