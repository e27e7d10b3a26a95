import t from 'tap';
import {
  describeDateFormatFault,
  ISO_8601,
  makeDateFormat,
} from '../../../src/shared/log-files/date-format.js';

const AT = new Date(2026, 2, 9, 4, 5, 6, 78).getTime();

t.test('a format of tokens writes local time, and reads what it has written', async (t) => {
  for (const [format, text] of [
    ['YYYY-MM-DD HH:mm:ss.SSS', '2026-03-09 04:05:06.078'],
    ['[at] DD/MM/YYYY, HH:mm:ss.SSS', 'at 09/03/2026, 04:05:06.078'],
    ['YYYYMMDDTHHmmssSSS', '20260309T040506078'],
    ['($1) YYYY.MM.DD HH:mm:ss:SSS é', '($1) 2026.03.09 04:05:06:078 é'],
  ]) {
    const dates = makeDateFormat(format);
    t.equal(describeDateFormatFault(format), null, format);
    t.equal(dates.write(AT), text);
    t.equal(dates.read(text), AT);
    t.match(text, new RegExp(`^${dates.pattern}$`));
    t.equal(dates.read('yesterday'), null);
  }
});

t.test('with Z a time says which zone it means', async (t) => {
  const dates = makeDateFormat('YYYY-MM-DD HH:mm:ss.SSS Z');
  t.equal(dates.read(dates.write(AT)), AT);
  t.equal(dates.read('2026-03-09 04:05:06.078 +05:30'), Date.UTC(2026, 2, 8, 22, 35, 6, 78));
  t.equal(dates.read('2026-03-09 04:05:06.078 -03:00'), Date.UTC(2026, 2, 9, 7, 5, 6, 78));
});

t.test('a time without a day is written but cannot be found again', async (t) => {
  const dates = makeDateFormat('HH:mm');
  t.equal(dates.write(AT), '04:05');
  t.equal(dates.read('04:05'), null);
});

t.test('the default is UTC', async (t) => {
  const ms = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  t.equal(ISO_8601.write(ms), '2026-01-02T03:04:05.006Z');
  t.equal(ISO_8601.read('2026-01-02T03:04:05.006Z'), ms);
  t.equal(ISO_8601.read('soon'), null);
});

t.test('a format that cannot be used is refused with its reason', async (t) => {
  for (const [format, reason] of /** @type {[string, RegExp][]} */ ([
    ['', /empty/],
    ['hh:mm', /"hh" is not one of YYYY MM DD HH mm ss SSS Z/],
    ['D MMM YYYY', /"D" is not one/],
    ['YYYY-MM-DD HH:mm A', /"A" is not one/],
    ['--', /it contains none of/],
    ['YYYY\nMM', /control character/],
    ['Y'.repeat(65), /longer than 64/],
  ])) {
    t.match(describeDateFormatFault(format), reason, JSON.stringify(format));
  }
});
