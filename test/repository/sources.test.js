/** How source files look and where they are; ESLint checks how long they are. */
import t from 'tap';
import { basename, dirname } from 'node:path';
import { projectFiles, read, shippedSources, withoutComments } from '../support/sources.js';

const MAX_FILES = 25;
const MAIN = /^(bin\/.*|src\/(\w+\/)+main\.c?js)$/;

const sources = shippedSources();

const isOfPage = (path) => path.startsWith('src/clients/web/page/');

const UNGUARDED =
  /(\.(on|once|prepend\w*)\([^,()]+,|process\.nextTick\()\s*(\([^()]*\)|\w+) => (?!\{\}\))/;

const READS_REASON = [
  /\b(reason|note)\??\.(startsWith|endsWith|includes|indexOf|match|search)\(|\.(test|exec)\(([\w.]+\.)?(reason|note)\)/,
  /\b(reason|fact|late|after|replaces)\??\.text\b/i,
  /\btext\b[^{}()]*\} = [\w.]*(reason|fact|late|after|replaces)\b/i,
];

/** What no source file may be or contain; `code` is without its comments, which only two rules read. */
const RULES = {
  'no file has a name that says nothing': (path) =>
    /^(utils?|helpers?|common|misc|index)\b/.test(basename(path)),
  'no file is a barrel': (_path, code) => {
    const lines = code.split('\n').filter((line) => line.trim());
    return lines.length > 0 && lines.every((line) => /^export .* from /.test(line));
  },
  'types are imported with @import, not inline': (path) =>
    /\bimport\('[^']+'\)\.[A-Z]/.test(read(path)),
  'no module awaits at its top level: it is published as CommonJS': (path, code) =>
    !isOfPage(path) && /^(for |(export )?(const|let) .*= )?await\b/m.test(code),
  'no literal is spread': (_path, code) => spreadsLiteral(code),
  'only a main file exits the process or writes to the console': (path, code) =>
    !MAIN.test(path) && /\bprocess\.exit|\bconsole\./.test(code),
  'lifecycle uses no clock and no process': (path, code) =>
    path.startsWith('src/lifecycle/') &&
    /\bDate\b|\bperformance\b|\bset(Timeout|Interval|Immediate)\b|\bprocess\./.test(code),
  'no deadline uses a clock that can be set': (path, code) =>
    /^src\/(daemon|primary|protocol|shared)\//.test(path) &&
    // The age of a file has no other clock; how far the clocks are apart is what records need.
    /Date\.now\(\)\s*[-+<>](?!.*mtimeMs|.*machineMs)|[-+<>]=?\s*Date\.now\(\)/.test(code),
  'the code of protocol knows no word of the domain; its types do': (path, code) =>
    path.startsWith('src/protocol/') && /\b(worker|reload|slot|generation|app)s?\b/i.test(code),
  'each listener of the agent, a guest in the program, is guarded': (path, code) =>
    /^src\/(agent\/|features\/[\w-]+\/agent\.cjs$)/.test(path) && UNGUARDED.test(code),
  'no sentence of ours is read back: what it says is a fact beside it': (_path, code) =>
    READS_REASON.some((reading) => reading.test(code)),
  'a reason is a fact: text has only what a health check says': (path, code) =>
    path !== 'src/features/health/primary.js' && /kind: 'reported', text/.test(code),
  'no source file contains a TODO': (path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(read(path)),
};

for (const [rule, isBroken] of Object.entries(RULES)) {
  const wrong = sources.filter((path) => isBroken(path, withoutComments(read(path))));
  t.same(wrong, [], rule);
}

t.test(`no directory holds more than ${MAX_FILES} files of its own`, async (t) => {
  const counts = {};
  for (const path of projectFiles()) {
    if (/^(src|test|bench)\//.test(path) && !path.startsWith('test/fixtures/')) {
      counts[dirname(path)] = (counts[dirname(path)] ?? 0) + 1;
    }
  }
  const wrong = Object.entries(counts).filter(([, count]) => count > MAX_FILES);
  t.same(wrong, []);
});

/** @returns `...[a, b]` or `...{ a }`; `...[...a].filter(b)` spreads the result of a call */
function spreadsLiteral(code) {
  return [...code.matchAll(/\.\.\.[[{]/g)].some(({ index }) => {
    let depth = 0;
    let end = index + 3;
    do {
      if ('[{('.includes(code[end])) depth++;
      if (']})'.includes(code[end])) depth--;
      end++;
    } while (depth > 0 && end < code.length);
    return !code.startsWith('.', end);
  });
}
