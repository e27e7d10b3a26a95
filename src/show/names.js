const MAX_NAMES = 10;

/** @param {readonly string[]} names @returns {string} the first ones, and how many others there are: `ls` has them all */
export function namesText(names) {
  const others = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return others > 0 ? `${shown} and ${others} more` : shown;
}
