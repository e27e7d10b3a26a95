/** Renders metrics in the Prometheus text format, which Prometheus 2 and 3 both scrape. */

/**
 * @typedef {Record<string, string | number>} Labels
 *
 * @typedef {object} Distribution
 * @property {number[]} bounds
 * @property {number[]} counts one for each bound and one beyond the last; not cumulative
 * @property {number} sum
 *
 * @typedef {object} Sample
 * @property {Labels} labels
 * @property {string} [suffix] `_bucket`, `_sum` or `_count` of a histogram or a summary of a program
 * @property {number | 'NaN' | '+Inf' | '-Inf'} [value] of a sample that is one line
 * @property {Distribution} [distribution] of a histogram of nodecluster itself
 *
 * @typedef {object} Family
 * @property {string} name that of a counter ends with `_total`, unless it is the program's
 * @property {'counter' | 'gauge' | 'histogram' | 'summary'} type
 * @property {string} help
 * @property {Sample[]} samples
 */

/**
 * @param {Family[]} families those without samples are left out
 * @returns {string} without a newline at the end
 */
export function renderExposition(families) {
  return families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${escapeHelp(help)}`,
      `# TYPE ${name} ${type}`,
      ...samples.flatMap((sample) => sampleLines(name, sample)),
    ])
    .join('\n');
}

/** @param {string} name @param {Sample} sample */
function sampleLines(name, { labels, suffix = '', value, distribution }) {
  return distribution
    ? distributionLines(name, labels, distribution)
    : [`${name}${suffix}${labelText(labels)} ${value}`];
}

/** @param {string} name @param {Labels} labels @param {Distribution} distribution */
function distributionLines(name, labels, { bounds, counts, sum }) {
  let count = 0;
  const buckets = counts.map((more, index) => {
    count += more;
    const le = index < bounds.length ? bounds[index] : '+Inf';
    return `${name}_bucket${labelText({ ...labels, le })} ${count}`;
  });
  const text = labelText(labels);
  return [...buckets, `${name}_sum${text} ${sum}`, `${name}_count${text} ${count}`];
}

/** @param {Labels} labels */
function labelText(labels) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeLabel(String(value))}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

/** @param {string} value */
function escapeLabel(value) {
  return escapeHelp(value).replaceAll('"', '\\"');
}

/** @param {string} text */
function escapeHelp(text) {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
