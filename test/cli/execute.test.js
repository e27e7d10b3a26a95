/** What is read without the parser is what the parser reads. */
import t from 'tap';
import { readBareCommand } from '../../src/cli/execute.js';
import { parseCommandLine } from '../../src/cli/program.js';
import { commands } from '../../src/cli/commands.js';

for (const { name, aliases, load } of commands) {
  t.test(name, async (t) => {
    const { command } = await load();
    const flags = command.options.flatMap((option) => /--[\w-]+/.exec(option.flags) ?? []);
    const lines = [[name], ...flags.map((flag) => [name, flag]), [name, ...flags.slice(0, 2)]];
    for (const line of [...lines, ...aliases.map((alias) => [alias])]) {
      const bare = await readBareCommand(line);
      if (bare) t.strictSame(bare, await parseCommandLine(line, 80), line.join(' '));
    }
  });
}

t.test('what scripts repeat needs no parser, everything else does', async (t) => {
  for (const line of ['ping', 'ping --json', 'ls', 'LIST --json', 'ls --json --watch']) {
    t.ok(await readBareCommand(line.split(' ')), line);
  }
  for (const line of ['', 'lss', '--json ls', 'ls -w', 'ls --help', 'ls --sort', 'ls --json=1']) {
    t.equal(await readBareCommand(line.split(' ')), null, line);
  }
  for (const line of ['ls --', 'ls api', 'ls --silent', 'reload --no-wait', 'stop all']) {
    t.equal(await readBareCommand(line.split(' ')), null, line);
  }
});
