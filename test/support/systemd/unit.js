/** Reads a unit as systemd does (systemd.syntax(7)), so that a test can start its service. */

export function readUnit(text) {
  const values = (key) =>
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

function wordsOf(value) {
  const words = value.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|(\S+)/g);
  return [...words].map(([, ...forms]) =>
    forms.join('').replace(/\\(.)/g, '$1').replaceAll('%%', '%'),
  );
}
