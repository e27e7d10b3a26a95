/** CONTRIBUTING.md: one word for one thing, in messages and in file names. */
import t from 'tap';
import ts from 'typescript';
import { projectFiles, read, shippedSources } from '../support/sources.js';

const AVOIDED = wordsToAvoid(read('CONTRIBUTING.md').split(/^## (?:Words|Tests)\n/m)[1]);

/** What a native reader stumbles over, and what to write instead. */
const PHRASES = [
  { pattern: /(?<!there )\b(is|are|was|were) (no|none)\b(?! longer| more)/i, say: 'is not a …' },
  { pattern: /\b(some|any|every|no)body\b|\bwhoever\b/i, say: 'the client, the reader, no worker' },
  {
    pattern: /\bso many\b|\bfor want of\b|\bunder way\b/i,
    say: 'the number, without, in progress',
  },
];

const RULES = [
  ...AVOIDED.map((word) => ({ pattern: inAnyForm(word), say: `another word than "${word}"` })),
  ...PHRASES,
];

t.test('the table of words says what to avoid', async (t) => {
  t.ok(AVOIDED.includes('folder') && AVOIDED.includes('wanted'), AVOIDED.join(', '));
});

t.test('messages use the words of the table', async (t) => {
  const messages = shippedSources().flatMap(messagesIn);
  t.ok(messages.length > 500, `${messages.length} messages`);
  const found = messages.flatMap(({ text, at }) => faults(text, at));
  t.same(found, []);
});

t.test('file names use the words of the table', async (t) => {
  const found = projectFiles().flatMap((path) => faults(path.replace(/[/._-]+/g, ' '), path));
  t.same(found, []);
});

/** @returns what the last column of its table of words has in backticks */
function wordsToAvoid(section) {
  const cells = [...section.matchAll(/\|([^|]*)\|$/gm)].map(([, cell]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word));
}

function inAnyForm(word) {
  return new RegExp(`\\b${word}(s|d|ed|ing)?\\b`, 'i');
}

function faults(text, at) {
  return RULES.flatMap(({ pattern, say }) => {
    const found = pattern.exec(text);
    if (found === null) return [];
    const excerpt = text.slice(Math.max(0, found.index - 30), found.index + 40);
    return [`${at}: "${excerpt}" (say ${say})`];
  });
}

/** @returns its strings of more than one word; … stands for a value */
function messagesIn(path) {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const text = textOf(node);
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (text?.includes(' ')) found.push({ text, at: `${path}:${line + 1}` });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
    .map(({ text }) => text)
    .join('…');
}
