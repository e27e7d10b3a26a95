/** Reads a unit as systemd does (systemd.syntax(7)), so that a test can start its service. */

/**
 * @param {string} text of the unit
 * @returns {{command: string[], env: Record<string, string>}} of its service
 */
export function readUnit(text) {
  const values = (/** @type {string} */ key) =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
  const [start] = values('ExecStart');
  return {
    command: wordsOf(start).map((word) => word.replaceAll('$$', '$')),
    env: Object.fromEntries(
      values('Environment')
        .flatMap(wordsOf)
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  };
}

/** @param {string} value */
function wordsOf(value) {
  const words = value.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|(\S+)/g);
  return [...words].map(([, ...forms]) =>
    forms.join('').replace(/\\(.)/g, '$1').replaceAll('%%', '%'),
  );
}
