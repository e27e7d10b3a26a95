/**
 * Metrics as text: the format of Prometheus, and OpenMetrics 1.0, which differs in how counters
 * are announced, how bounds are written, and in its last line.
 */

/**
 * @typedef {'prometheus' | 'openmetrics'} Format
 * @typedef {Record<string, string | number>} Labels
 *
 * @typedef {object} Distribution
 * @property {number[]} bounds
 * @property {number[]} counts up to each bound, and last those beyond all of them; not added up
 * @property {number} sum
 *
 * @typedef {object} Sample
 * @property {Labels} labels
 * @property {number} [value] of a counter or a gauge
 * @property {Distribution} [distribution] of a histogram
 *
 * @typedef {object} Family
 * @property {string} name of a counter with its `_total`
 * @property {'counter' | 'gauge' | 'histogram'} type
 * @property {string} help
 * @property {Sample[]} samples
 */

/**
 * @param {Family[]} families those without samples are left out
 * @param {Format} format
 * @returns {string} without the last line end
 */
export function renderExposition(families, format) {
  const lines = families
    .filter(({ samples }) => samples.length > 0)
    .flatMap((family) => [...headLines(family, format), ...sampleLines(family, format)]);
  return [...lines, ...(format === 'openmetrics' ? ['# EOF'] : [])].join('\n');
}

/**
 * @param {Family} family
 * @param {Format} format
 */
function headLines({ name, type, help }, format) {
  const announced = format === 'openmetrics' ? name.replace(/_total$/, '') : name;
  return [`# HELP ${announced} ${help}`, `# TYPE ${announced} ${type}`];
}

/**
 * @param {Family} family
 * @param {Format} format
 */
function sampleLines({ name, samples }, format) {
  return samples.flatMap(({ labels, value, distribution }) =>
    distribution
      ? distributionLines(name, labels, distribution, format)
      : [`${name}${labelText(labels)} ${value}`],
  );
}

/**
 * @param {string} name
 * @param {Labels} labels
 * @param {Distribution} distribution
 * @param {Format} format
 */
function distributionLines(name, labels, { bounds, counts, sum }, format) {
  let count = 0;
  const buckets = counts.map((more, index) => {
    count += more;
    const le = index < bounds.length ? boundText(bounds[index], format) : '+Inf';
    return `${name}_bucket${labelText({ ...labels, le })} ${count}`;
  });
  const text = labelText(labels);
  return [...buckets, `${name}_sum${text} ${sum}`, `${name}_count${text} ${count}`];
}

/**
 * @param {number} bound
 * @param {Format} format
 */
function boundText(bound, format) {
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

/** @param {Labels} labels */
function labelText(labels) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(String(value))}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

/** @param {string} value */
function escaped(value) {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
