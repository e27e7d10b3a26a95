/** Checks programs in TypeScript, as the compiler does. */
import ts from 'typescript';

/**
 * @param options beside `strict`; the libraries' types are checked too
 * @returns the errors, as `file: message`
 */
export function typeErrors(files, options) {
  const all = {
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    types: [],
    skipDefaultLibCheck: true,
    ...options,
  };
  const program = ts.createProgram(files, all, hostOf(all));
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const { line } = file?.getLineAndCharacterOfPosition(start ?? 0) ?? { line: 0 };
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${file?.fileName}:${line + 1}: ${text}`;
  });
}

/** The compiler's own files, read once. */
const libraries = new Map();

function hostOf(options) {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (!/\/lib\.[^/]*\.d\.ts$/.test(name)) return getSourceFile(name, ...rest);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...rest));
    return libraries.get(name);
  };
  return host;
}
