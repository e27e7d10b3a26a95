/** What each command prints with --json is as docs/reference/json.schema.json says; `testHome` compares it. */
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { read } from '../../support/sources.js';

/** They need a process of their own, minutes, or a service of the machine: other tests run them. */
const ELSEWHERE = ['run', 'prove', 'unstartup', 'error'];

t.test('the output of each command', async (t) => {
  const { root, run, ok } = testHome(t, { inProcess: true });
  writeFiles(root, {
    'job.cjs': 'console.log(1)',
    'ecosystem.yml': {
      apps: [
        { name: 'api', script: app('http-pid.cjs'), instances: 2, env: { PORT: await freePort() } },
        { name: 'job', script: './job.cjs', schedule: '0 0 1 1 *' },
      ],
    },
  });
  const known = Object.keys(JSON.parse(read('docs/reference/json.schema.json')).properties);
  const tried = new Set(ELSEWHERE);
  const commands = [
    'apply --dry-run',
    'start ecosystem.yml',
    'start api',
    'ls',
    'describe all',
    'env api',
    'send api {"a":1}',
    'signal SIGCONT api',
    'why api',
    'profile api:0 --heap',
    'scale api 3',
    'apply',
    'reload api --set-env A=1',
    'reload api --canary 1 --for 1s',
    'restart api:0',
    'run-now job',
    'logs --no-follow',
    `serve . ${await freePort()}`,
    'reset api',
    'flush',
    'reload-logs',
    'save',
    'ping',
    'doctor',
    'startup systemd --print',
    'export kubernetes --image example.com/shop:1',
    'export kubernetes --image example.com/shop:1 --dir out',
    'update',
    'stop api',
    'ls api',
    'delete job',
    'events --no-follow',
    'audit',
    'describe nothing',
    'kill',
    'resurrect',
    'update',
  ];
  for (const line of commands) {
    const args = [...line.split(' '), '--json'];
    const ended = await run(args);
    const printed = args[1] === 'nothing' ? ended.stderr : ended.stdout;
    t.match(printed, /^[[{]/, `${line}: ${ended.stderr}`);
    tried.add(args[0]);
  }
  t.same([...known].sort(), [...tried].sort());
  await ok(['kill']);
});
