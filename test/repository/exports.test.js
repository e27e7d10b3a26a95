/** An export that no other file imports is dead code, or should be private to its file. */
import t from 'tap';
import { posix } from 'node:path';
import { projectFiles, read, shippedSources, withoutComments } from '../support/sources.js';

/** What programs import from the package, and what src/cli/commands.js takes from every verb. */
const isEntry = (each) =>
  /^(src\/api\/nodecluster\.js|src\/cli\/commands\/.*: (command|run)$)/.test(each);
const shipped = shippedSources();
const files = projectFiles();
const others = files.filter((path) => /\.c?js$/.test(path) && !shipped.includes(path));

t.test('every export is imported by another shipped file', async (t) => {
  const users = files.filter((path) => /^(bin|src|scripts)\/.*\.(c?js|d\.ts)$/.test(path));
  const used = usedNames(users);
  const unused = shipped
    .flatMap((path) => exportsOf(path).map((name) => `${path}: ${name}`))
    .filter((each) => !used.has(each) && !isEntry(each));
  const usedByOthers = usedNames(others);
  const wrong = unused.filter((each) => !usedByOthers.has(each));
  t.same(wrong, [], 'imported by no file');
  const found = unused.filter((each) => usedByOthers.has(each) && !isPart(each));
  t.same(found, [], 'imported only by tests and benchmarks, and not used by its own file');
});

function isPart(each) {
  const [path, name] = each.split(': ');
  return withoutComments(read(path)).match(new RegExp(`\\b${name}\\b`, 'g')).length > 1;
}

function exportsOf(path) {
  const code = withoutComments(read(path));
  const declared = code.matchAll(
    /^export (?:default )?(?:async )?(?:function\*?|class|const|let) (\w+)/gm,
  );
  const listed = code.matchAll(/^(?:export|module\.exports =) \{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name]) => name),
    ...[...listed].flatMap(([, names]) => namesIn(names).map(({ outside }) => outside)),
  ];
}

function usedNames(paths) {
  return new Set(paths.flatMap((path) => usesOf(path)));
}

function usesOf(path) {
  const text = read(path);
  const code = withoutComments(text);
  return [...staticUses(path, text), ...dynamicUses(path, code)];
}

/**
 * `import { a } from`, `@import { A } from`, `import * as a from` and `const { a } = require()`.
 */
function* staticUses(path, text) {
  const clauses = text.matchAll(
    /(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\* as (\w+)|(\w+))\s+from\s+'(\.[^']+)'/g,
  );
  for (const [, names, namespace, alone, specifier] of clauses) {
    const to = posix.join(posix.dirname(path), specifier);
    for (const { inside } of namesIn(names ?? alone ?? '')) yield `${to}: ${inside}`;
    if (namespace) {
      for (const [, name] of text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g'))) {
        yield `${to}: ${name}`;
      }
    }
  }
}

/** Of a file that is loaded by `import()` or `require()`, every export that the text names. */
function dynamicUses(path, code) {
  const loaded = [...code.matchAll(/\b(?:import|require)\(\s*'(\.[^']+)'\s*\)/g)];
  const words = new Set(code.match(/\w+/g));
  return loaded
    .map(([, specifier]) => posix.join(posix.dirname(path), specifier))
    .filter((to) => shipped.includes(to))
    .flatMap((to) =>
      exportsOf(to)
        .filter((name) => words.has(name))
        .map((name) => `${to}: ${name}`),
    );
}

/**
 * @param list as between the braces of an import: `a, b as c`
 * @returns the name in the exporting file, and after `as`
 */
function namesIn(list) {
  return list
    .replaceAll('*', ' ')
    .split(',')
    .map((item) => item.trim().split(/\s+as\s+|:\s*/))
    .filter(([inside]) => inside)
    .map(([inside, outside = inside]) => ({ inside, outside }));
}
