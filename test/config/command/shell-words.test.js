import t from 'tap';
import { readPlainCommand } from '../../../src/config/command/shell-words.js';

t.test('lines that are one plain command', async (t) => {
  /** @type {[line: string, words: string[], env?: Record<string, string>][]} */
  const rows = [
    ['node server.js', ['node', 'server.js']],
    ['  node   dist/main  ', ['node', 'dist/main']],
    ['next start', ['next', 'start']],
    ['next start -p 3000', ['next', 'start', '-p', '3000']],
    [
      'NODE_ENV=production next start -p 3000',
      ['next', 'start', '-p', '3000'],
      { NODE_ENV: 'production' },
    ],
    ['A=1 B="x y" C= node a.js', ['node', 'a.js'], { A: '1', B: 'x y', C: '' }],
    ["NODE_OPTIONS='--import tsx' node a.ts", ['node', 'a.ts'], { NODE_OPTIONS: '--import tsx' }],
    [
      'cross-env NODE_ENV=production node a.js',
      ['cross-env', 'NODE_ENV=production', 'node', 'a.js'],
    ],
    ['"A=1" node a.js', ['A=1', 'node', 'a.js']],
    ['node --max-old-space-size=4096 .', ['node', '--max-old-space-size=4096', '.']],
    ['node -r dotenv/config a.js', ['node', '-r', 'dotenv/config', 'a.js']],
    ["node a.js --filter 'a|b && $c'", ['node', 'a.js', '--filter', 'a|b && $c']],
    ['node "my app.js" \\"x\\"', ['node', 'my app.js', '"x"']],
    ['node a.js "a\\"b\\n"', ['node', 'a.js', 'a"b\\n']],
    ['node a.js --x=#1 a#b', ['node', 'a.js', '--x=#1', 'a#b']],
    ['node a.js --json=\'{"a":1}\'', ['node', 'a.js', '--json={"a":1}']],
    ['node a.js a~b ""', ['node', 'a.js', 'a~b', '']],
    ['ts-node -T src/index.ts', ['ts-node', '-T', 'src/index.ts']],
    ['serve -s build -l tcp://0.0.0.0:3000', ['serve', '-s', 'build', '-l', 'tcp://0.0.0.0:3000']],
    ['http-server ./public -p 8080 -c-1', ['http-server', './public', '-p', '8080', '-c-1']],
    ['exec node server.js', ['exec', 'node', 'server.js']],
    ['node a.js "it\'s" \'a "b\' "\\$X"', ['node', 'a.js', "it's", 'a "b', '$X']],
  ];
  for (const [line, words, env = {}] of rows) t.same(readPlainCommand(line), { words, env }, line);
});

t.test('lines that only a shell understands', async (t) => {
  /** @type {[line: string, fault: RegExp][]} */
  const rows = [
    ['npm run build && node dist/main.js', /several commands \(`&&`\)/],
    ['prisma migrate deploy && next start', /several/],
    ['a && b && NODE_ENV=production node c.js', /several/],
    ['cd server && node index.js', /several/],
    ['a; node b.js', /several commands \(`;`\)/],
    ['a || node b.js', /several commands \(`\|\|`\)/],
    ['a && node $X', /several/],
    ['node a.js | pino-pretty', /pipes its output/],
    ['node a.js &', /in the background/],
    ['node a.js > out.log 2>&1', /redirects/],
    ['node a.js < in', /redirects/],
    ['next start -p $PORT', /a shell variable \(`\$PORT`\)$/],
    ['next start -p ${PORT:-3000}', /a shell variable \(`\$\{PORT:-3000\}`\)$/],
    ['node a.js "$PORT"', /a shell variable \(`\$PORT`\)$/],
    ['PORT=$P node a.js', /a shell variable \(`\$P`\)$/],
    ['node $(which x)', /output of another command/],
    ['node `which x`', /output of another command/],
    ['node "a $(which x)"', /output of another command/],
    ['node a.js *.json', /pattern of file names/],
    ['node a.js x?', /pattern of file names/],
    ['(node a.js)', /brackets/],
    ['node a.js {a,b}', /brackets/],
    ['node a.js # here', /comment/],
    ['node ~/a.js', /home directory/],
    ['node "a.js', /not closed/],
    ["node 'a.js", /not closed/],
    ['A=1', /runs nothing/],
    ['', /runs nothing/],
  ];
  for (const [line, fault] of rows) t.match(readPlainCommand(line), { fault }, line);
});
