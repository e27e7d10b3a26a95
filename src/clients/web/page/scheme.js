/** Light or dark: as the system says, or as the user chose on this page. */

const storageName = 'nodecluster.colours';
const CHOICES = /** @type {const} */ (['auto', 'light', 'dark']);

/** @typedef {typeof CHOICES[number]} Scheme */

/** @type {Scheme} */
let choice = 'auto';

/** Applies what was chosen at an earlier visit. */
export function restoreScheme() {
  apply(CHOICES.find((each) => each === readStored()) ?? 'auto');
}

/** @returns {Scheme} */
export function schemeChoice() {
  return choice;
}

/** Changes to the next one: from `auto` to the opposite of what the system says. */
export function nextScheme() {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const order = isDark
    ? /** @type {const} */ (['auto', 'light', 'dark'])
    : /** @type {const} */ (['auto', 'dark', 'light']);
  apply(order[(order.indexOf(choice) + 1) % order.length]);
  try {
    localStorage.setItem(storageName, choice);
  } catch {
    // A file may have no storage: the choice lasts as long as the page.
  }
}

/**
 * @param {string} name of a custom property
 * @returns {string} the colour that it has now, for a canvas
 */
export function colourOf(name) {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @param {Scheme} next */
function apply(next) {
  choice = next;
  const { dataset } = document.documentElement;
  if (next === 'auto') delete dataset.scheme;
  else dataset.scheme = next;
  dispatchEvent(new Event('schemechange'));
}

function readStored() {
  try {
    return localStorage.getItem(storageName);
  } catch {
    return null;
  }
}
