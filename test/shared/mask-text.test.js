/** What is masked in text, by the form of a secret, by its name, and because the settings have it. */
import t from 'tap';
import { maskCommand, maskText, secretsIn } from '../../src/shared/mask-text.js';
import { PLANTED } from '../clients/report/planted.js';

for (const [name, secret, text] of PLANTED) {
  t.test(name, async (t) => {
    t.notMatch(maskText(text), secret);
    t.notMatch(maskText(JSON.stringify({ message: text, next: 1 })), secret);
    t.notMatch(maskText(JSON.stringify({ in: JSON.stringify({ message: text }) })), secret);
  });
}

const PLAIN = [
  '{"time":"2026-11-28T06:00:00.000Z","level":"info","event":"app.started","app":"api","pid":4711}',
  'http://localhost:3000/a?page=2 https://example.com/x',
  'shop:1 backoff 5s: port 3000 in use by pid 4711 (node old.js)',
  '"keys": {"a": 1}, "auth": null',
  'node -p 3000, mkdir -p /var/x, find -print, su -u alice',
  'password authentication failed for user "shop"',
  '/usr/lib/node_modules/Nodecluster2/versions/abcdefghijklmnopqrstuvwxyz/0123456789/src',
  '  env.DB_PASSWORD  (none) → (none)',
];
for (const text of PLAIN) t.test(text, async (t) => t.equal(maskText(text), text));

t.test('words of a command that contain quotes', async (t) => {
  const rows = [
    ['bash', '-c', "export DB_PASSWORD='planted 01 blank'; nodecluster reset d"],
    ['nodecluster', 'start', 'a', '--set-env', "CONN=host=h password='planted02' dbname=x"],
    ['sh', '-c', `nodecluster reload a --set-env 'X=a password='\\''planted05'\\'''`],
    ['mysql', '-p', 'planted03', '-u', 'me:planted04'],
  ];
  for (const words of rows) t.notMatch(maskCommand(words), /planted|blank/, words.join(' '));
  t.equal(maskCommand(['sh', '-c', "echo 'a b'"]), `sh -c 'echo '\\''a b'\\'''`);
});

t.test('a quoted value stays quoted', async (t) => {
  t.equal(maskText('["-p",\n  "planted"]'), '["-p",\n  "********"]');
  t.equal(maskText('{"apiKey":"a b","n":1}'), '{"apiKey":"********","n":1}');
  t.equal(maskText('{"x":"{\\"apiKey\\":\\"a b\\"}"}'), '{"x":"{\\"apiKey\\":\\"********\\"}"}');
});

t.test('long words take no long time', async (t) => {
  const started = performance.now();
  maskText('a'.repeat(256 * 1024));
  maskText('--a:/='.repeat(40 * 1024));
  maskText('https://'.repeat(8 * 1024));
  t.ok(performance.now() - started < 3000);
});

t.test('secrets of settings', async (t) => {
  const spec = {
    env: { DB_PASSWORD: 'hunter2-x', PORT: '3000', NOT_NAMED: 'postgres://u:url-pass@h/db' },
    args: ['--api-token', 'flag-value', '--db-password=assigned', '--verbose', 'word-word'],
    on: [
      { events: ['worker.errored'], post: 'https://chat.example.com/services/T0/B0/path0' },
      { events: ['x'], headers: { 'X-Foo': 'header-value' } },
    ],
  };
  // Names are no secrets: the report would name nothing by them.
  const given = { 'env.DB_PASSWORD': 'commandline' };
  const changes = [{ differences: [{ key: 'env.API_KEY', to: '********' }] }];
  t.same(secretsIn({ apps: [{ spec: { ...spec, given }, changes }] }), [
    ...['hunter2-x', 'url-pass', 'flag-value', 'assigned', 'services/T0/B0/path0', 'header-value'],
  ]);
  t.equal(maskText('sent services/T0/B0/path0', ['services/T0/B0/path0']), 'sent ********');
});
