/** No secret of an app is shown, neither in its settings nor in its arguments, nor in text of any other kind. */
import t from 'tap';
import * as secrets from '../../src/shared/secrets.js';
import { PLANTED } from '../clients/report/planted.js';

const { maskCommand, maskSecret, maskSecrets, maskText, secretsIn } = secrets;
const MASK = '********';

t.test('variables', async (t) => {
  const secret =
    'PASSWORD db_pass API_KEY apiKey STRIPE_SECRET GH_TOKEN NPM_AUTH AWS_SECRET_ACCESS_KEY SENTRY_DSN DB_PWD ' +
    'GOOGLE_APPLICATION_CREDENTIALS spring.datasource.key X-API-Key PROXY_AUTHORIZATION ENCRYPTIONKEY MYSQLPASS ' +
    'API_TOKENS passwordConfirm DB_PASSWORD_PROD BEARER';
  for (const name of secret.split(' ')) t.equal(maskSecret(name, 'x'), MASK, name);
  const open =
    'PATH PWD OLDPWD AUTHOR KEYBOARD NODE_ENV SSH_AUTH_SOCK PORT DB_PASSWORD_FILE TOKENIZER MAX_TOKENS ' +
    'SESSION_TOKEN_TTL token.js PASSWORDLESS SECRETARY BYPASS PASSWORD_POLICY PRIMARY_KEY AWS_SECRET_ARN NEXT_PUBLIC_KEY';
  for (const name of open.split(' ')) t.equal(maskSecret(name, 'x'), 'x', name);
  const harmless = ['true', 'none', '/etc/shop/tls.key', './key.pem', '${TOKEN}', '$DB_TOKEN', ''];
  for (const value of harmless) t.equal(maskSecret('API_KEY', value), value, value);
  const inside = [
    'host: db\npassword: |\n  x',
    'postgres://me:secret@db/shop',
    '["redis://:pw@a:1"]',
    'a=mysql://u:p@db',
    '{"db":{"password":"x"}}',
    'Server=db;User=me;Password=x;',
    'DefaultEndpointsProtocol=https;AccountKey=abc==;',
    '--title=password=x',
    'https://0123456789abcdef@o1.ingest.sentry.io/1',
  ];
  for (const value of inside) t.equal(maskSecret('A', value), MASK, value);
  const plain = [
    ...['b', '3000', 'postgres://db:5432/shop', 'postgres://me@db/shop', 'ssh://git@example.com/x'],
    ...['http://localhost:4873/@scope/x', 'postgres://db:5432/shop?contact=me@example.com'],
    ...['--max-old-space-size=400 --env-file=.env', '/usr/local/bin:/usr/bin:/bin'],
    ...['7d9f1c2e-55aa-4e0b-9d5c-2b1f6a7c8d90', '0002a8fd5d1e9be6f4de15b0ad5fdc2a4ab6e7ff'],
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ];
  for (const value of plain) t.equal(maskSecret('A', value), value);
});

const SETTINGS = [
  [{ env: { DB_PASSWORD: 'x', PORT: '80' } }, { env: { DB_PASSWORD: MASK, PORT: '80' } }],
  [{ env: { DB_PASSWORD: '-x' } }, { env: { DB_PASSWORD: MASK } }],
  [{ env: { DB_PASSWORD: 'a=b' } }, { env: { DB_PASSWORD: MASK } }],
  [
    { env: { DBPW: 'x', APP_CREDS: 'x', OTP: 'x', PWD: '/srv', OLDPWD: '/' } },
    { env: { DBPW: MASK, APP_CREDS: MASK, OTP: MASK, PWD: '/srv', OLDPWD: '/' } },
  ],
  [
    { http: 'http://me:pass@host/h', port: 1 },
    { http: `http://me:${MASK}@host/h`, port: 1 },
  ],
  [{ http: '/h?token=x' }, { http: `/h?token=${MASK}` }],
  [{ url: 'postgres://me:x@db/shop' }, { url: `postgres://me:${MASK}@db/shop` }],
  [{ line: 'node a.js --api-key x --port 1' }, { line: `node a.js --api-key ${MASK} --port 1` }],
  [{ line: 'node a.js --db-token=x b' }, { line: `node a.js --db-token=${MASK} b` }],
];
const SAME = [
  { changes: [{ key: 'env.API_KEY', to: MASK }] },
  { cwd: '/srv', script: '/srv/a.js' },
  { given: { 'env.DB_PASSWORD': 'file' } },
  { a: null, b: 1, c: [true, null] },
  { headers: { 'X-Key': '${KEY}', Authorization: 'Bearer ${TOKEN}' } },
];

t.test('settings', async (t) => {
  for (const [value, masked] of SETTINGS)
    t.strictSame(maskSecrets(value), masked, JSON.stringify(value));
  for (const value of SAME) t.strictSame(maskSecrets(value), value, JSON.stringify(value));
});

/** Words, apart by a bar, and the same without secrets. */
const WORDS = [
  ['--db-password|x|y', `--db-password|${MASK}|y`],
  ['--db-password=x', `--db-password=${MASK}`],
  ['redis://me:pass@host', `redis://me:${MASK}@host`],
  ['API_KEY=x y', `API_KEY=${MASK}`],
  ['--pwd|x|--jwt=x', `--pwd|${MASK}|--jwt=${MASK}`],
  ['--set-env=API_KEY=x y', `--set-env=API_KEY=${MASK}`],
  ['-H|Authorization: Bearer x|url', `-H|Authorization: ${MASK}|url`],
  ['-H|X-Api-Key: x', `-H|X-Api-Key: ${MASK}`],
  ['--json|{"secret":"x"}', `--json|{"secret":"${MASK}"}`],
  ['--password="x y" -u root', `--password=${MASK}`],
  ['-c|curl b; DB_PASSWORD=x c', `-c|curl b; DB_PASSWORD=${MASK} c`],
];
const HARMLESS_WORDS = [
  ['-p', '3000', '-p', '80:80', '-p', './x', '-p', 'tsconfig.json'],
  ['--token', '--verbose'],
  ['--secret', '--verbose', 'x'],
  ['--set-env=A=b=c', '--max-old-space-size=400', '--env-file=.env'],
  ['--password-stdin', 'x', '--password-file', '/x', '--show-secrets', 'shop'],
  ['-u', 'me', '--user', '1000:1000'],
  ['--token', '${TOKEN}'],
];

t.test('words of a command', async (t) => {
  for (const [words, masked] of WORDS)
    t.strictSame(maskSecrets(words.split('|')), masked.split('|'), words);
  for (const words of HARMLESS_WORDS) t.strictSame(maskSecrets(words), words, words.join(' '));
});

t.test('a command as a line', async (t) => {
  const rows = [
    ['bash', '-c', "export DB_PASSWORD='planted 01 blank'; nodecluster reset d"],
    ['nodecluster', 'start', 'a', '--set-env', "CONN=host=h password='planted02' dbname=x"],
  ];
  for (const words of rows) t.notMatch(maskCommand(words), /planted|blank/, words.join(' '));
  t.equal(maskCommand(['sh', '-c', "echo 'a b'"]), `sh -c 'echo '\\''a b'\\'''`);
});

for (const [name, secret, text] of PLANTED) {
  t.notMatch(maskText(text), secret, name);
  t.notMatch(maskText(JSON.stringify({ message: text, next: 1 })), secret, name);
  t.notMatch(maskText(JSON.stringify({ in: JSON.stringify({ message: text }) })), secret, name);
}

const PLAIN = [
  'token:0 draining: pid 30799',
  'auth:12: exited with code 1',
  'nodecluster scale token +1  add a worker',
  '{"time":"2026-11-28T06:00:00.000Z","level":"info","event":"app.started","app":"api","pid":4711}',
  'http://localhost:3000/a?page=2 https://example.com/x',
  'shop:1 backoff 5s: port 3000 in use by pid 4711 (node old.js)',
  '"keys": {"a": 1}, "auth": null',
  'node -p 3000, mkdir -p /var/x, find -print, su -u alice',
  'password authentication failed for user "shop"',
  '/usr/lib/node_modules/Nodecluster2/versions/abcdefghijklmnopqrstuvwxyz/0123456789/src',
  '  env.DB_PASSWORD  (none) → (none)',
  'nodecluster env shop --show-secrets\n26861 root Ss node',
  'docker login -u me --password-stdin images.example.com',
  'set DB_PASSWORD in .env, DB_PASSWORD must be set',
  'API_KEY=\nPORT=3000',
  'exit 1, after 5s\n| -----END PRIVATE KEY-----',
  'token: ${TOKEN}, TOKEN=${TOKEN} a',
  '"sha":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","X":1',
];
for (const text of PLAIN) t.equal(maskText(text), text, text);

const PARTS = [
  // A quoted value stays quoted.
  ['{"apiKey":"a b","n":1}', `{"apiKey":"${MASK}","n":1}`],
  ['{"x":"{\\"apiKey\\":\\"a b\\"}"}', `{"x":"{\\"apiKey\\":\\"${MASK}\\"}"}`],
  ['{"x":"{\\"apiKey\\":\\"a\\\\\\"b\\"}"}', `{"x":"{\\"apiKey\\":\\"${MASK}\\"}"}`],
  // Each of several is hidden, also after a value that a colon begins.
  ['password: a b;token="c d"', `password: ${MASK}"${MASK}"`],
  ['host=h,password=x,port=1', `host=h,password=${MASK},port=1`],
  ['mysql --password="a b" -u root', `mysql --password="${MASK}" -u root`],
  ['no app "{\\"token\\":\\"x\\"}". The apps', `no app "{\\"token\\":\\"${MASK}\\"}". The apps`],
  // What comes after it stays.
  ["curl -H 'Authorization: Bearer a' h", `curl -H 'Authorization: ${MASK}' h`],
  ['"curl -H \\"Cookie: a\\" h"', `"curl -H \\"Cookie: ${MASK}\\" h"`],
  ['redis://a:b@c?d=e@f', `redis://a:${MASK}@c?d=e@f`],
];

const JSON_LINES = [
  ['{"token":12345,"n":1}', { token: MASK, n: 1 }],
  ['{"pin" : -12.5e3 }', { pin: MASK }],
  ['{"password":["a","b"],"n":1}', { password: MASK, n: 1 }],
  ['{"password":[["a"],2],"n":[1]}', { password: MASK, n: [1] }],
  ['{"set-cookie":["sid=a; Path=/","b=c"],"n":1}', { 'set-cookie': MASK, n: 1 }],
  ['{"msg":"token: a","n":[1,{"token":1}]}', { msg: `token: ${MASK}`, n: [1, { token: MASK }] }],
  ['{"x":"{\\"pin\\":1234}","n":1}', { x: `{"pin":"${MASK}"}`, n: 1 }],
  ['{"password":"a\\\\","n":1}', { password: MASK, n: 1 }],
  ['{"secret":true,"pin":null,"token":"","n":1}', { secret: true, pin: null, token: '', n: 1 }],
  ['{"msg":"PASSWORD => a","n":1}', { msg: `PASSWORD => ${MASK}`, n: 1 }],
];

t.test('JSON stays valid, and a text keeps its other parts', async (t) => {
  for (const [line, masked] of JSON_LINES) t.same(JSON.parse(maskText(line)), masked, line);
  for (const [text, masked] of PARTS) t.equal(maskText(text), masked, text);
});

t.test('long strings take no long time', async (t) => {
  const kinds = [
    ...['a', '-', '--', 'a=', '-a ', '-u=', '-p=', '\\n', "'", '"', ' ', '\n', '://', 'https://a:'],
    ...['https://hook', '-----BEGIN PRIVATE KEY', '-----END', 'eyJaaaaa-', 'set a:', "key:'", '$'],
  ];
  for (const kind of kinds) {
    const long = kind.repeat((100 * 1024) / kind.length);
    const before = process.cpuUsage();
    maskSecrets({ args: [long], [kind]: long });
    t.ok(process.cpuUsage(before).user < 1_500_000, JSON.stringify(kind));
  }
});

t.test('secrets of settings', async (t) => {
  const spec = {
    env: { DB_PASSWORD: 'hunter2-x', PORT: '3000', NOT_NAMED: 'postgres://u:url-pass@h/db' },
    args: ['--api-token', 'flag-value', '--db-password=assigned', '--verbose', 'word-word'],
    script: 'curl b; DB_PASSWORD=second-one c',
    on: [
      { events: ['worker.errored'], post: 'https://chat.example.com/services/T0/B0/path0' },
      { events: ['x'], headers: { 'X-Foo': 'header-value' } },
    ],
  };
  // Names are no secrets: the report would name nothing by them.
  const given = { 'env.DB_PASSWORD': 'commandline' };
  const changes = [{ differences: [{ key: 'env.API_KEY', to: '********' }] }];
  t.same(secretsIn({ apps: [{ spec: { ...spec, given }, changes }] }), [
    ...['hunter2-x', 'url-pass', 'flag-value', 'assigned', 'second-one'],
    ...['services/T0/B0/path0', 'header-value'],
  ]);
  const teams = 'https://x.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d';
  const env = { TELEGRAM_BOT_TOKEN: '12345:AAH-x', TEAMS_WEBHOOK_SECRET: teams };
  t.same(secretsIn({ env }), ['12345:AAH-x', teams]);
});
