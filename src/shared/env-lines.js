/** Variables from a file or a command: lines of `NAME=value`, and the names that nobody may give. */

const OF_NODE = /^NODE_(?:CHANNEL_FD|CHANNEL_SERIALIZATION_MODE|UNIQUE_ID)$/;

/** @param {string} name of a variable @returns {string | null} why nobody may give it to a worker */
export function whyReserved(name) {
  if (OF_NODE.test(name)) return `Node itself sets ${name}, to reach its workers`;
  return name === 'NODECLUSTER_WORKER' ? `nodecluster itself sets ${name}, to find workers` : null;
}

/** A comment, or `NAME=value` up to the end of its line; a quoted value may span lines. */
const ENTRIES =
  /\s*(?:#[^\n]*|(?:export[ \t]+)?([^\s=\0]+)[ \t]*=(?:[ \t]*(["'`])([^\0]*?)\2[^\n]*|(?![ \t]*["'`])([^\n\0]*)))?(?:\n|$)/gy;

/**
 * As `util.parseEnv`, which skips or misreads a wrong line, each version of Node in its own way.
 * @param {string} written
 * @param {string} place what the fault has before the number of the line
 * @returns {{values: Record<string, string>} | {fault: string}}
 */
export function parseVariables(written, place) {
  const text = written.replace(/^\ufeff|\r/g, '');
  /** @type {Record<string, string>} */
  const values = {};
  const rest = text.replace(ENTRIES, (_entry, name, quote, quoted, plain = '') => {
    if (quote) values[name] = quote === '"' ? quoted.replaceAll('\\n', '\n') : quoted;
    else if (name) values[name] = plain.split('#')[0].trim();
    return '';
  });
  if (rest === '') return { values };
  const line = text.slice(0, -rest.trimStart().length).split('\n').length;
  const isQuoted = /^\s*(?:export[ \t]+)?[^\s=]+[ \t]*=[ \t]*["'`]/.test(rest);
  return {
    fault: `${place}${line}: ${isQuoted ? 'the quote is not closed' : 'expected NAME=value'}`,
  };
}
