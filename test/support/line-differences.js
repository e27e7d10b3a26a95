/**
 * What a second text says otherwise than a first, for a snapshot that need not hold both.
 * @param {readonly string[]} before lines
 * @param {readonly string[]} after
 * @returns {string[]} lines that only the first has, then those that only the second has
 */
export function lineDifferences(before, after) {
  return [
    ...without(before, after).map((line) => `- ${line}`),
    ...without(after, before).map((line) => `+ ${line}`),
  ];
}

/** @param {readonly string[]} lines @param {readonly string[]} others each takes away one that is equal */
function without(lines, others) {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
