/** Text and Markdown in mdoc(7), the language of man pages. */

/** Bytes: `mandoc -T lint` complains about more than 80. */
const MAX_LINE = 78;

/** What roff takes for its own, or a terminal shows as another character. @type {Record<string, string>} */
const ESCAPES = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
};
/** The end of a word in text that ends a sentence: the next one begins a line. */
const END_OF_SENTENCE = /[.!?](?:\\fR|[)\]]|\\\(dq)*$/;

/** @param {string} text that a reader may copy */
export function literal(text) {
  return text.replace(/[\\'`^~"-]/g, (each) => ESCAPES[each]).replace(/^(?=\.)/, '\\&');
}

/** @param {string[]} lines such as those of a file */
export function display(lines) {
  return ['.Bd -literal -offset indent -compact', ...lines.map(literal), '.Ed'];
}

/**
 * @param {string} text a paragraph with `code`, **strong** words and [links](to.md)
 * @returns {string[]} lines
 */
export function prose(text) {
  const marked = text
    .replace(/\[([^\]]+)\]\(([^)#]*)[^)]*\)/g, linkText)
    .replace(/`([^`]+)`/g, '\u0001$1\u0002')
    .replace(/\*\*(.+?)\*\*/g, '\u0001$1\u0002');
  const lines = [''];
  for (const word of marked.split(/\s+/).filter(Boolean)) {
    const escaped = literal(word).replaceAll('\u0001', '\\fB').replaceAll('\u0002', '\\fR');
    const line = lines[lines.length - 1];
    const isFull = Buffer.byteLength(`${line} ${escaped}`) > MAX_LINE || END_OF_SENTENCE.test(line);
    if (line === '') lines[0] = escaped;
    else if (isFull) lines.push(escaped);
    else lines[lines.length - 1] = `${line} ${escaped}`;
  }
  return lines;
}

/** @param {string} _link @param {string} words @param {string} page empty: it is in this one */
function linkText(_link, words, page) {
  return page === '' || page === words ? words : `${words} (${page})`;
}

/**
 * @param {string} text headings of two levels, paragraphs, lists, and code between fences
 * @returns {string[]} lines
 */
export function fromMarkdown(text) {
  /** @type {string[]} */
  const lines = [];
  let depth = 0;
  let isCode = false;
  const leaveSpace = () => {
    if (!/^\.(Sh|Ss|It)\b/.test(String(lines.at(-1)))) lines.push('.Pp');
  };
  const nest = (/** @type {number} */ wanted) => {
    for (; depth > wanted; depth--) lines.push('.El');
    if (depth === 0 && wanted > 0) leaveSpace();
    for (; depth < wanted; depth++) lines.push('.Bl -bullet -compact');
  };
  for (const line of text.split('\n')) {
    const [, indent, mark, rest] = /^( *)(```|- |#+ |)(.*)$/.exec(line) ?? [];
    if (mark === '```') {
      if (depth === 0 && !isCode) leaveSpace();
      lines.push(isCode ? '.Ed' : '.Bd -literal -offset indent -compact');
      isCode = !isCode;
    } else if (isCode) {
      lines.push(literal(line.slice(2 * depth)));
    } else if (mark.startsWith('#')) {
      nest(0);
      lines.push(heading(mark, rest));
    } else if (mark === '- ') {
      nest(indent.length / 2 + 1);
      lines.push('.It', ...prose(rest));
    } else if (rest !== '') {
      nest(indent.length / 2);
      leaveSpace();
      lines.push(...prose(rest));
    }
  }
  nest(0);
  return lines;
}

/** @param {string} mark `## ` or `### ` @param {string} text */
function heading(mark, text) {
  const words = literal(text.replaceAll('`', ''));
  return mark === '## ' ? `.Sh ${words.toUpperCase()}` : `.Ss ${words}`;
}
