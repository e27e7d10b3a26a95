/**
 * What a second text says otherwise than a first, for a snapshot that need not hold both.
 * @param before lines
 * @returns lines that only the first has, then those that only the second has
 */
export function lineDifferences(before, after) {
  return [
    ...without(before, after).map((line) => `- ${line}`),
    ...without(after, before).map((line) => `+ ${line}`),
  ];
}

function without(lines, others) {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
