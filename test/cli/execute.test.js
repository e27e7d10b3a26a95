/** What is read without the parser is what the parser reads. */
import t from 'tap';
import { execute, readBareCommand } from '../../src/cli/main.js';
import { parseCommandLine } from '../../src/cli/program.js';
import { commands } from '../../src/cli/commands.js';

/** `run` gets a function of its own whenever it is loaded. */
const read = ({ run, ...rest }) => ({ ...rest, runs: run.toString() });

for (const { name, aliases, load } of commands) {
  t.test(name, async (t) => {
    const { command } = await load();
    const flags = command.options.flatMap((option) => /--[\w-]+/.exec(option.flags) ?? []);
    const lines = [[name], ...flags.map((flag) => [name, flag]), [name, ...flags.slice(0, 2)]];
    for (const line of [...lines, ...aliases.map((alias) => [alias])]) {
      const bare = await readBareCommand(line);
      if (bare) t.strictSame(read(bare), read(await parseCommandLine(line, 80)), line.join(' '));
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

t.test('help is wrapped, also for a pipe', async (t) => {
  for (const [width, longest] of [
    [null, 100],
    [80, 80],
    [200, 100],
  ]) {
    let text = '';
    await execute(['ls', '--help'], { stdout: { width }, print: (page) => (text = page) });
    const widest = Math.max(...text.split('\n').map((line) => line.length));
    t.ok(widest <= longest, `${width}`);
  }
});

t.test('a wrong value of an option leads to the help of its own command', async (t) => {
  const io = { env: {}, cwd: '/', stdout: { width: null }, stderr: {}, note() {} };
  await t.rejects(execute(['reload', 'eco.yml', '--set-env', 'x'], io), {
    code: 'E_FLAG_INVALID',
    hint: /^`nodecluster reload --help --all`/,
  });
});
