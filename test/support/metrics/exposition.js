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

export function faultsOf(text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const seen = new Set();
  let head = { name: '', type: '' };
  return lines.flatMap((line) => {
    head = headAfter(line, head);
    const key = line.startsWith('#') ? line.split(' ', 3).join(' ') : line.replace(/ \S+$/, '');
    const fault = seen.has(key) ? 'twice' : faultOf(line, head);
    seen.add(key);
    return fault === null ? [] : [`${fault}: ${line}`];
  });
}

function headAfter(line, head) {
  const [, described] = HELP.exec(line) ?? [];
  if (described !== undefined) return { name: described, type: '' };
  const [, typed, type] = TYPE.exec(line) ?? [];
  return typed === undefined ? head : { name: typed === head.name ? typed : '', type };
}

function faultOf(line, { name, type }) {
  if (line.startsWith('#')) return HELP.test(line) || (TYPE.test(line) && name) ? null : 'unknown';
  const [, sampled, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (sampled === undefined || !VALUE.test(value)) return 'not in the format';
  if (!SUFFIXES[type]?.some((end) => sampled === name + end)) return 'not in its family';
  const names = [...labels.matchAll(/(?:^|,)([a-zA-Z_]\w*)="/g)].map(([, one]) => one);
  return new Set(names).size < names.length ? 'a label twice' : null;
}
