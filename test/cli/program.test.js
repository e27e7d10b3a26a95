import t from 'tap';
import { commands } from '../../src/cli/commands.js';
import { readCommandLine, execute, readBareCommand } from '../../src/cli/main.js';
import { parseCommandLine } from '../../src/cli/program.js';
import { VERSION } from '../../src/shared/version.js';
import { outcome, runOk } from './fake-context.js';

const read = (line) => readCommandLine(line.split(' '), 80);

const given = { prune: true, dryRun: true, lenient: true, updateEnv: true };
const applied = { ...given, only: ['a', 'b'], env: 'production' };
const rows = [
  ['ls', { command: 'ls', words: [], options: {}, programArgs: [] }],
  ['ps --json', { command: 'ls', options: { json: true } }],
  ['scale api -1', { command: 'scale', words: ['api', '-1'] }],
  ['reload -', { command: 'reload', words: ['-'] }],
  ['STARTORRESTART eco.yml --only a', { command: 'restart', options: { only: ['a'] } }],
  [
    'apply eco.yml --only a,b --env production --prune --dry-run --lenient --update-env',
    { words: ['eco.yml'], options: applied },
  ],
  ['start app.js', { command: 'start', words: ['app.js'], options: {}, programArgs: [] }],
  ['start app.js -i -1', { words: ['app.js'], options: { instances: '-1' } }],
  ['start app.js -i 2 -- -p 80 -- -i 3', { programArgs: ['-p', '80', '--', '-i', '3'] }],
  ...['flush', 'stop', 'delete', 'describe', 'env', 'logs', 'events'].map((command) => [
    `${command} -- api --json`,
    { command, words: ['api', '--json'], options: {}, programArgs: [] },
  ]),
  ['del --json -- api', { command: 'delete', words: ['api'], options: { json: true } }],
  ['reload web --parallel 2 -- -x', { options: { parallel: 2 }, programArgs: ['-x'] }],
  ['restart web -- --json', { words: ['web'], options: {}, programArgs: ['--json'] }],
  ['scale -- api -1', { command: 'scale', words: ['api', '-1'] }],
  ['send -- api -1', { command: 'send', words: ['api', '-1'] }],
];

t.test('a command line; options that were not given are absent', async (t) => {
  for (const [line, expected] of rows) t.match(await read(line), expected, line);
  t.same((await read('start app.js')).options, {});
});

const texts = [
  ['--version', new RegExp(`^${VERSION}$`, 'm')],
  ['-v', new RegExp(`^${VERSION}$`, 'm')],
  ['help', /\n {2}init .*\nAlso why, .*: nodecluster help --all/s],
  ['help --all', /\n {2}attach .*NODECLUSTER_HOME .*~\/\.nodecluster.*Exit codes:/s],
  ['--help start', /^Usage: nodecluster start /],
  ['-h reload --all', /^Usage: nodecluster reload .*--hang-timeout/s],
  ['help reload', /Examples:\n {2}nodecluster reload api/],
  ['reload --help', /Replace workers.*--parallel.*Examples:/s],
  ['start --help', /--no-autorestart\s+\S/],
  ['start --help --all', /--set-env <NAME=value>.*May be\s+given\s+several\s+times/s],
  ['start --help', /--watch\s.*More options: nodecluster start --help --all/s],
  ['help start --all', /--hang-timeout/],
  ['start --help --all', /see\s+how\s+\(docs\/guides\/autoscaling\.md\)/],
  ['start --help --all', /See\s+jobs\s+\(docs\/guides\/jobs\.md\)\./],
  ['ls --help', /^Usage: nodecluster ls \[options\] \[apps\.\.\.\]\n.*Other names: list, ps/s],
];

t.test('pages; help fits a narrow terminal', async (t) => {
  for (const [line, expected] of texts) t.match((await read(line)).text, expected, line);
  t.match((await readCommandLine([], 80)).text, /Usage: nodecluster <command>.*help --all/s);
  const page = await readCommandLine(['stop', '--help'], 40);
  const [usage] = page.text.split(/\n\nExamples/);
  const [, ...lines] = usage.split('\n');
  const wrong = lines.filter((line) => line.length > 40);
  t.same(wrong, []);
});

const faults = [
  ['strat', { detail: "Unknown command 'strat'", suggestion: 'start' }],
  ['restart --dry-run', { detail: "Unknown option '--dry-run'" }],
  ['start app.js --watch=src', { detail: "Unknown option '--watch=src'" }],
  ['app.js -i 4', { suggestion: '`nodecluster start app.js`' }],
  ['help relod', { detail: "Unknown command 'relod'", suggestion: 'reload' }],
  ['logs --since 2h --until 3h', { advice: /--since 3h --until 2h/ }],
  ['events --since 2h --until 3h', { advice: /--since 3h --until 2h/ }],
  ['ls --jsno', { command: 'ls', detail: "Unknown option '--jsno'", suggestion: '--json' }],
  ['ls --log-file x', { suggestion: undefined }],
  ['kill -- api', { command: 'kill', detail: /Too many arguments/ }],
  ['ping more', { command: 'ping', detail: /Too many arguments/ }],
  ['describe', { command: 'describe', detail: /Missing required argument 'apps'/ }],
  ['start app.js --verbose', { command: 'start', forProgram: true }],
  ['start app.js -i', { command: 'start', detail: /argument missing/ }],
  ['delete eco.yml --only ', { detail: /--only.*names no app/ }],
  ['delete eco.yml --only ,,', { detail: /--only.*names no app/ }],
  ['reload api --parallel 0', { detail: /--parallel/ }],
  ['reload api --parallel two', { detail: /--parallel/ }],
  ['profile api:0 --cpu 10', { detail: /such as 10s/ }],
  ['reload api --on-failure explode', { detail: /keep or rollback/ }],
];

t.test('what is rejected', async (t) => {
  for (const [line, data] of faults) {
    const error = await read(line).catch((thrown) => thrown);
    t.match(error, { code: 'E_USAGE', exitCode: 2, data }, line);
  }
});

/** `run` gets a function of its own whenever it is loaded. */
const readWithout = ({ run, ...rest }) => ({ ...rest, runs: run.toString() });

for (const { name, aliases, load } of commands) {
  const { command } = await load();
  const flags = command.options.flatMap((option) => /--[\w-]+/.exec(option.flags) ?? []);
  const lines = [[name], ...flags.map((flag) => [name, flag]), [name, ...flags.slice(0, 2)]];
  for (const line of [...lines, ...aliases.map((alias) => [alias])]) {
    const bare = await readBareCommand(line);
    if (!bare) continue;
    const parsed = await parseCommandLine(line, 80);
    t.strictSame(readWithout(bare), readWithout(parsed), line.join(' '));
  }
}

t.test('what scripts repeat needs no parser, everything else does', async (t) => {
  for (const line of ['ping', 'ping --json', 'ls', 'LIST --json', 'ls --json']) {
    t.ok(await readBareCommand(line.split(' ')), line);
  }
  const none = ['', 'lss', '--json ls', 'ls --help', 'ls --sort', 'ls --json=1'];
  for (const line of [
    ...none,
    'ls --',
    'ls api',
    'ls --silent',
    'reload --parallel 2',
    'stop all',
  ]) {
    t.equal(await readBareCommand(line.split(' ')), null, line);
  }
});

t.test('help is wrapped, also for a pipe', async (t) => {
  for (const width of [null, 80, 200]) {
    let text = '';
    await execute(['ls', '--help'], { stdout: { width }, print: (page) => (text = page) });
    const widest = Math.max(...text.split('\n').map((line) => line.length));
    t.ok(widest <= (width === 80 ? 80 : 100), `${width}`);
  }
});

/**
 * Command lines of PM2 users and what becomes of each. To add one, add a row: the line, and
 * - `runs`: the invocation that it is read as (the fields that matter),
 * - `notes`: it also runs, with this note on stderr,
 * - `answers`: there is nothing to do, and it says so on stdout with exit code 0,
 * - `advises`: it is refused in one line, which says what to type instead.
 */
const commandLines = [
  ['l', { runs: { command: 'ls' } }],
  ['ls -m', { runs: { command: 'ls', options: {} } }],
  ['ls --sort memory:desc', { runs: { command: 'ls', options: { sort: { key: 'memory' } } } }],
  ['--silent ls', { runs: { command: 'ls', options: { silent: true } } }],
  ['-s restart api', { runs: { command: 'restart', words: ['api'], options: { silent: true } } }],
  ['--no-color ls', { runs: { command: 'ls' } }],
  ['desc api', { runs: { command: 'describe', words: ['api'] } }],
  ['-s jlist', { runs: { command: 'jlist', options: { silent: true } } }],
  ['sendSignal SIGUSR2 api', { runs: { command: 'signal', words: ['SIGUSR2', 'api'] } }],
  ['serve dist 3000 --spa', { runs: { words: ['dist', '3000'], options: { spa: true } } }],
  ['expose dist --port 3000', { runs: { command: 'serve', options: { port: 3000 } } }],
  ['serve dist --monitor', { notes: /--monitor has no effect/ }],
  ['attach 0', { runs: { command: 'attach', words: ['0'] } }],
  ['init simple', { runs: { command: 'init', words: [] } }],
  ['logs --nostream', { runs: { command: 'logs', options: { follow: false } } }],
  ['logs api -f -n 50', { runs: { command: 'logs', words: ['api'], options: { lines: 50 } } }],
  ['logs --format', { advises: /--json/ }],
  ['logs --highlight error', { advises: /--grep/ }],
  ['logs --tail 50', { advises: /--lines/ }],
  ['stop --all', { runs: { command: 'stop', words: ['all'] } }],
  ['delete --all', { runs: { command: 'delete', words: ['all'] } }],
  ['stop api --watch', { notes: /--watch has no effect/ }],
  ['reload api -f', { notes: /--force has no effect/ }],
  ['restart api -a', { runs: { command: 'restart', options: { updateEnv: true } } }],

  ['start app.js --time', { runs: { command: 'start', options: { time: true } } }],
  ['start app.js --no-time', { runs: { command: 'start', options: { time: false } } }],
  ['start app.js --merge-logs', { runs: { options: { mergeLogs: true } } }],
  ['start app.js --no-merge-logs', { runs: { options: { mergeLogs: false } } }],
  ['start app.js --disable-logs', { runs: { options: { disableLogs: true } } }],
  ['start app.js --cron 5', { runs: { options: { cronRestart: '5' } } }],
  ['start app.js --interpreter-args -r', { runs: { options: { nodeArgs: '-r' } } }],
  ['start app.js -x', { runs: { options: { execMode: 'fork' } } }],
  ['start app.js -u nobody', { runs: { options: { uid: 'nobody' } } }],
  ['start app.js -f', { runs: { command: 'start' }, notes: /needs another --name/ }],
  ['start app.js --no-vizion', { notes: /--no-vizion has no effect: .*repositories/ }],
  ['start app.js --no-pmx --no-automation', { notes: /--no-pmx has no effect/ }],
  ['start app.js --attach', { notes: /nodecluster logs/ }],
  ['start app.js --no-treekill', { runs: { options: { treekill: false } } }],
  ['start app.js --exp-backoff-restart-delay 100', { runs: { command: 'start' } }],
  ['start app.js --listen-timeout 3000 --shutdown-with-message', { runs: { command: 'start' } }],
  ['start app.js -l all.log -o out.log -e err.log', { runs: { command: 'start' } }],
  ['start app.js -i 2 --no-daemon', { advises: /in the background.*`nodecluster run <program>`/ }],
  ['start app.js --no-wait', { advises: /Ctrl-C ends the waiting/ }],
  ['restart api --no-daemon', { advises: /in the background.*nodecluster logs/ }],
  ['start app.js --no-autostart', { advises: /--only/ }],
  ['start app.js --hp /srv', { advises: /NODECLUSTER_HOME/ }],

  ['dump --force', { answers: /nothing has to be saved/ }],
  ['install pm2-logrotate', { answers: /built in.*log_rotate/s }],
  ['reloadLogs', { answers: /the next line opens a new one/ }],
  ['install pm2-metrics', { advises: /no modules/ }],
  ['set pm2-logrotate:max_size 10M', { advises: /`log_rotate: \{max_size: 10M, / }],
  ['start app.js --port 80', { advises: /--set-env PORT.*after --/ }],
  ['start app.js --filter-env X', { advises: /--set-env/ }],
  ['start app.js --deep-monitoring', { notes: /metrics/ }],
  ['start app.js --instance-id', { notes: /does not send metrics/ }],
  [
    'startup systemd -u deploy --hp /home/me',
    { runs: { words: ['systemd'], options: { user: 'deploy', hp: '/home/me' } } },
  ],
  ['startup ubuntu', { runs: { command: 'startup', words: ['ubuntu'] } }],
  ['startup --service-name api', { notes: /made of the user and the home directory/ }],
  ['startup systemd --wait-ip', { notes: /waits for the network/ }],
  ['sendLineToStdin api hello', { advises: /nodecluster attach <app>/ }],
  ['kill -f', { runs: { command: 'kill' }, notes: /--force has no effect/ }],
  ['kill --all', { runs: { command: 'kill', words: [] }, notes: /kill stops every app/ }],
  ['rollback', { advises: /files of the last release back/ }],
  ['run start app.js --no-daemon', { runs: { command: 'run' }, notes: /foreground/ }],
  ['docker app.js --secret s --public p', { runs: { command: 'run' }, notes: /metrics anywhere/ }],
  ['runtime ecosystem.yml --web', { advises: /--listen/ }],
  ['run app.js --no-auto-exit', { advises: /orchestrator/ }],
  ['pm2-runtime app.js', { advises: /nodecluster run/ }],
  ['updatePM2', { runs: { command: 'update' } }],
  ['create', { advises: /help --all/ }],
  ['profile:cpu', { advises: /profile api:0 --cpu 10s/ }],
  ['module:install pm2-logrotate', { answers: /built in/ }],
  ['module:update', { advises: /help --all/ }],
  ['rm 0 api', { advises: /`nodecluster delete <app>`/ }],
];

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

t.test('--silent leaves out the table of a command that changes something', async (t) => {
  const app = { name: 'api', status: 'stopped', workers: [] };
  const daemon = { stop: () => ({ apps: [outcome()] }), list: () => ({ apps: [app] }) };
  const silent = await runOk('-s stop api', { daemon });
  t.same(silent.printed, []);
  const usual = await runOk('stop api', { daemon });
  t.same(
    [silent, usual].map(({ asked }) => asked.length),
    [1, 2],
  );
  t.match(usual.printed, [/api/]);
});
