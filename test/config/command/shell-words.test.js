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
  /** @type {[line: string, found: string][]} */
  const rows = [
    ['npm run build && node dist/main.js', '&&'],
    ['prisma migrate deploy && next start', '&&'],
    ['a && b && NODE_ENV=production node c.js', '&&'],
    ['cd server && node index.js', '&&'],
    ['a; node b.js', ';'],
    ['a || node b.js', '||'],
    ['a && node $X', '&&'],
    ['node a.js | pino-pretty', '|'],
    ['node a.js &', '&'],
    ['node a.js > out.log 2>&1', '>'],
    ['node a.js < in', '<'],
    ['next start -p $PORT', '$PORT'],
    ['next start -p ${PORT:-3000}', '${PORT:-3000}'],
    ['node a.js "$PORT"', '$PORT'],
    ['PORT=$P node a.js', '$P'],
    ['node $(which x)', '$('],
    ['node `which x`', '`'],
    ['node "a $(which x)"', '$('],
    ['node a.js *.json', '*'],
    ['node a.js x?', '?'],
    ['(node a.js)', '('],
    ['node a.js {a,b}', '{'],
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
