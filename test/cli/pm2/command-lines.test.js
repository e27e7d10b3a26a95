import t from 'tap';
import { readCommandLine } from '../../../src/cli/main.js';
import { commandWith, outcome } from '../fake-context.js';
import { commandLines } from './command-lines.js';

const read = (/** @type {string} */ line) => readCommandLine(line.split(' '), 80);

for (const [line, { runs, notes, answers, advises }] of commandLines) {
  t.test(line, async (t) => {
    if (advises) return t.rejects(read(line), { code: 'E_PM2_ONLY', message: advises, hint: null });
    const result = await read(line);
    if (answers) return t.match(result, { text: answers });
    t.match(result, runs ?? {});
    const said = 'notes' in result ? result.notes.join('\n') : 'this is a page';
    if (notes) return t.match(said, notes);
    t.equal(said, '');
  });
}

t.test('a command that ends apps or loses data is only suggested with what it does', async (t) => {
  for (const typo of ['sotp', 'kil', 'delte', 'flsh', 'rest', 'restrt', 'dele', 'clear', 'sto']) {
    const { code, hint } = await read(typo).catch((error) => error);
    t.equal(code, 'E_USAGE', typo);
    t.notMatch(hint, /`(kill|stop|delete|del|flush|reset|restart)`(?! \()/, typo);
  }
});

t.test('--silent leaves out the table of a command that changes something', async (t) => {
  const app = { name: 'api', status: 'stopped', workers: [] };
  const daemon = { stop: ({ table }) => ({ apps: [outcome()], ...(table && { table: [app] }) }) };
  const silent = await commandWith('-s stop api', { daemon });
  t.equal(await silent.run(), 0);
  t.same(silent.printed, []);
  const usual = await commandWith('stop api', { daemon });
  await usual.run();
  const tablesOf = ({ asked }) => asked.map(({ params }) => params.table);
  t.same([tablesOf(silent), tablesOf(usual)], [[undefined], [['usage']]]);
});
