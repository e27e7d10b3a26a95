/** Reads the text format of Prometheus as strictly as promtool does. */

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const HELP = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\[\\\\n])*$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);
const VALUE = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;
const SUFFIXES = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** @param {string} text @returns {string[]} what is wrong, a line each */
export function faultsOf(text) {
  const faults = [];
  const seen = new Set();
  let family = { name: '', type: '' };
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [, described] = HELP.exec(line) ?? [];
    const [, typed, type] = TYPE.exec(line) ?? [];
    const [, name, labels, value] = SAMPLE.exec(line) ?? [];
    const head = `${type ? 'TYPE' : 'HELP'} ${described ?? typed}`;
    const key = name === undefined ? head : `${name}{${labels}}`;
    if (seen.has(key)) faults.push(`twice: ${line}`);
    seen.add(key);
    if (described !== undefined) family = { name: described, type: '' };
    else if (typed !== undefined && typed === family.name) family.type = type;
    else if (name === undefined || !VALUE.test(value)) faults.push(`not in the format: ${line}`);
    else if (!SUFFIXES[family.type]?.some((end) => name === family.name + end)) {
      faults.push(`not in its family: ${line}`);
    }
    const names = [...(labels ?? '').matchAll(/(?:^|,)([a-zA-Z_]\w*)="/g)].map(([, one]) => one);
    if (new Set(names).size < names.length) faults.push(`a label twice: ${line}`);
  }
  return faults;
}
