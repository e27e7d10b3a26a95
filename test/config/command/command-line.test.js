import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseCommandLine, readPlainCommand } from '../../../src/config/command/command-line.js';
import { ecosystemDirectory } from '../ecosystem-directory.js';

t.test('a script with its arguments', async (t) => {
  const known = { 'server.js': '/a/server.js', 'my app.js': '/a/my app.js', x: '/a/x' };
  const find = (word) => known[word] ?? (['npm', 'node', 'tsx'].includes(word) ? word : null);
  const rows = [
    ['npm start', 'npm', ['start'], []],
    ['  npm   run start -- --port 80 ', 'npm', ['run', 'start', '--', '--port', '80'], []],
    ['server.js --port 3000', '/a/server.js', ['--port', '3000'], []],
    ['server.js "a b" \'c;d\' e\\ f', '/a/server.js', ['a b', 'c;d', 'e f'], []],
    ['"my app.js" x', '/a/my app.js', ['x'], []],
    ['node server.js --x', '/a/server.js', ['--x'], []],
    ['node --inspect=0 -r x server.js y', '/a/server.js', ['y'], ['--inspect=0', '-r', 'x']],
    ['node --import tsx server.js', '/a/server.js', [], ['--import', 'tsx']],
    ['node -e "1; 2" server.js', 'node', ['-e', '1; 2', 'server.js'], []],
    ['node --watch server.js', 'node', ['--watch', 'server.js'], []],
    ['node --watch-path=src server.js', 'node', ['--watch-path=src', 'server.js'], []],
    ['node missing', 'node', ['missing'], []],
    ['node --inspect', 'node', ['--inspect'], []],
    ['tsx server.js', 'tsx', ['server.js'], []],
    [`PORT=1 A='b c' node server.js`, '/a/server.js', [], [], { PORT: '1', A: 'b c' }],
  ];
  for (const [line, script, args, nodeArgs, env = {}] of rows)
    t.same(parseCommandLine(line, find), { script, args, nodeArgs, env }, line);
  const faults = [
    ['nothing --x', 'nothing is neither a file nor a command'],
    ['npm "start', 'a quote is not closed'],
  ];
  for (const [line, fault] of faults) t.same(parseCommandLine(line, find), { fault }, line);
  for (const line of ['npm i && npm start', 'npm start > log', 'npm $X', 'npm "$X"']) {
    const shell = { script: 'sh', args: ['-c', line], nodeArgs: [], env: {} };
    t.match(parseCommandLine(line, find), { ...shell, reason: /^it needs a shell/ }, line);
  }
});

t.test('in a file: a path that exists wins, and arguments are joined', async (t) => {
  const files = { 'my app.js': '', 'a.js --x': '' };
  const { resolveText, write, directory } = ecosystemDirectory(t, files);
  const ofNpm = { script: 'npm', execMode: 'fork', name: 'app' };
  const ofShell = { script: 'sh', args: ['-c', 'cc x.c; ./a.out'], execMode: 'fork', name: 'app' };
  const rows = [
    ['script: npm run start -w a', { ...ofNpm, args: ['run', 'start', '-w', 'a'] }],
    ['cmd: app.js --port 3000', { script: join(directory, 'app.js'), args: ['--port', '3000'] }],
    ['script: app.js --x\nargs: y', { args: ['--x', 'y'], execMode: 'cluster', name: 'app' }],
    ['script: my app.js', { script: join(directory, 'my app.js'), args: [] }],
    ['script: worker.py -v', { interpreter: 'python3', args: ['-v'] }],
    ['script: node app.js\nnode_args: -x', { nodeArgs: ['-x'], interpreter: null }],
    ['script: cc x.c; ./a.out', { ...ofShell, modeReason: /^it needs a shell \(`;`\)$/ }],
    ['script: cc x.c; ./a.out\nexec_mode: fork\ninstances: 2', { ...ofShell, modeReason: null }],
  ];
  write('bin/node', '');
  chmodSync(join(directory, 'bin/node'), 0o755);
  for (const [text, spec] of rows) t.match((await resolveText(text)).specs, [spec], text);
});

t.test('a script without an extension is run by Node if its first line says so', async (t) => {
  const { resolveText, refusalOf, write, directory } = ecosystemDirectory(t, {
    'www/a': '#!/usr/bin/env node\nrequire("http");\n',
    'www/b': '#!/usr/local/bin/node\n',
    'www/c': '#!/usr/bin/env python3\n',
    'www/d': '',
  });
  for (const name of ['a', 'b']) {
    const text = `script: ./www/${name}\nexec_mode: cluster\ninstances: 2\n`;
    t.match((await resolveText(text)).specs, [{ execMode: 'cluster', interpreter: null }], name);
  }
  t.match((await refusalOf('script: ./www/c\n')).text, /www\/c is not executable/);
  chmodSync(join(directory, 'www/d'), 0o755);
  for (const [first, named] of [
    ['#! /nosuch/interp -x', '"/nosuch/interp"'],
    ['#!/bin/sh\r', '"/bin/sh\\r"'],
  ]) {
    write('www/d', `${first}\n`);
    const { text } = await refusalOf('script: ./www/d\n');
    t.match(text, `(its first line names ${named}, which does not exist)`, first);
  }
});

t.test('lines that are one plain command', async (t) => {
  const rows = [
    ['node server.js', ['node', 'server.js']],
    ['  node   dist/main  ', ['node', 'dist/main']],
    ['next start -p 3000', ['next', 'start', '-p', '3000']],
    ['NODE_ENV=test next start', ['next', 'start'], { NODE_ENV: 'test' }],
    ['A=1 B="x y" C= node a.js', ['node', 'a.js'], { A: '1', B: 'x y', C: '' }],
    ["NODE_OPTIONS='--import tsx' node a.ts", ['node', 'a.ts'], { NODE_OPTIONS: '--import tsx' }],
    ['"A=1" node a.js', ['A=1', 'node', 'a.js']],
    ['node --max-old-space-size=4096 .', ['node', '--max-old-space-size=4096', '.']],
    ['node -r dotenv/config a.js', ['node', '-r', 'dotenv/config', 'a.js']],
    ["node a.js --filter 'a|b && $c'", ['node', 'a.js', '--filter', 'a|b && $c']],
    ['node "my app.js" \\"x\\"', ['node', 'my app.js', '"x"']],
    ['node a.js "a\\"b\\n"', ['node', 'a.js', 'a"b\\n']],
    ['node a.js --x=#1 a#b', ['node', 'a.js', '--x=#1', 'a#b']],
    ['node a.js --json=\'{"a":1}\'', ['node', 'a.js', '--json={"a":1}']],
    ['node a.js a~b ""', ['node', 'a.js', 'a~b', '']],
    ['serve -s build -l tcp://0.0.0.0:3000', ['serve', '-s', 'build', '-l', 'tcp://0.0.0.0:3000']],
    ['exec node server.js', ['exec', 'node', 'server.js']],
    ['node a.js "it\'s" \'a "b\' "\\$X"', ['node', 'a.js', "it's", 'a "b', '$X']],
  ];
  for (const [line, words, env = {}] of rows) t.same(readPlainCommand(line), { words, env }, line);
});

t.test('lines that only a shell understands', async (t) => {
  const rows = [
    ['npm run build && node dist/main.js', '&&'],
    ['a && b && NODE_ENV=production node c.js', '&&'],
    ['a; node b.js', ';'],
    ['a || node b.js', '||'],
    ['node a.js | pino-pretty', '|'],
    ['node a.js &', '&'],
    ['node a.js > out.log 2>&1', '>'],
    ['next start -p $PORT', '$'],
    ['next start -p ${PORT:-3000}', '${}'],
    ['node a.js "$PORT"', '$'],
    ['PORT=$P node a.js', '$'],
    ['node $(which x)', '$('],
    ['node `which x`', '`'],
    ['node "a $(which x)"', '$('],
    ['node a.js *.json', '*'],
    ['node a.js x?', '?'],
    ['(node a.js)', '('],
    ['node a.js {a,b}', '{}'],
    ['node a.js # here', '#'],
    ['node ~/a.js', '~'],
    ['node "a.js', '"'],
    ["node 'a.js", "'"],
  ];
  for (const [line, found] of rows) {
    t.same(readPlainCommand(line), { fault: `needs a shell (\`${found}\`)` }, line);
  }
  for (const line of ['A=1', '']) t.same(readPlainCommand(line), { fault: 'runs nothing' }, line);
});
