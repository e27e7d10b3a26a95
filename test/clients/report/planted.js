/** Secrets of each kind, as they stand in logs. None of them is in use anywhere. */

const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7planted01key';
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJwbGFudGVkMDcifQ', 'c2lnbmF0dXJlcGxhbnRlZA'].join(
  '.',
);

/** @type {[name: string, secret: string, text: string][]} */
export const PLANTED = [
  [
    'a private key',
    'planted01',
    `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`,
  ],
  ['an argument as describe shows it', 'planted40', '"-p" "planted40" "-u" "me:planted40"'],
  ['arguments as JSON has them', 'planted41', '["-p", "planted41", "-u", "me:planted41"]'],
  ['the end of a private key', 'planted01', `${body}\n-----END PRIVATE KEY-----`],
  ['a variable', 'planted02', 'DB_PASSWORD=planted02 node app.js'],
  ['a URL with a password', 'planted03', 'redis://user:planted03@db:6379/0 refused'],
  ['a password with @', 'planted04', 'redis://user:p@planted04@db:6379/0 refused'],
  ['a URL with a token', 'planted05', 'cloning https://planted05@git.example.com/x.git'],
  ['a bearer token', 'planted06', 'sent Bearer planted06abc to api'],
  ['a JWT', 'c2lnbmF0dXJlcGxhbnRlZA', `got ${jwt} from client`],
  ['an AWS key', 'PLANTED8', `key id ${'AKIA'}AAAAAAAAPLANTED8 is unknown`],
  ['an AWS secret', 'planted09', 'aws_secret_access_key = planted09/abc+def'],
  ['a webhook', 'planted10', 'POST https://chat.example.com/api/webhooks/12/planted10 failed'],
  ['a flag', 'planted11', 'node app.js --db-password planted11 --port 3000'],
  ['a flag with =', 'planted12', 'node app.js --auth-token=planted12'],
  ['arguments', 'planted13', '["app.js","--api-key","planted13"]'],
  ['a cookie', 'planted14', 'Cookie: theme=dark; sid=planted14'],
  ['a cookie that is set', 'planted15', "'set-cookie': [ 'sid=planted15; Path=/' ]"],
  ['basic authorization', 'planted16', 'Authorization: Basic planted16'],
  ['a query', 'planted17', 'GET /x?page=1&access_token=planted17&z=1'],
  ['JSON', 'planted18', '{"user":"a","clientSecret":"planted18"}'],
  ['YAML', 'planted19', 'passphrase: correct horse planted19'],
  ['a token of a service', 'planted20', `push ${'ghp'}_aaaaaaaaaaaplanted20 rejected`],
  ['a header with another name', 'planted21', 'X-Api-Key: planted21'],
  [
    'a private key without its ends',
    'planted22',
    `    | MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7planted22\n    | and more`,
  ],
  [
    'the last line of one, as describe shows it',
    'planted23',
    '    | Zb1planted23==\n    | -----END PRIVATE KEY-----',
  ],
  ['a short flag', 'planted24', 'mysql -h db -p planted24 shop'],
  ['a short flag without a space', 'planted25', 'mysql -u root -pplanted25 shop'],
  ['a user with a password', 'planted26', 'curl -u deploy:planted26 https://x'],
  ['the same in a list', 'planted27', '["curl","--user","deploy:planted27"]'],
  ['a variable that ends so', 'planted28', 'PGPASS=planted28'],
  ['a sentence', 'planted29', 'cannot log in with password planted29'],
];
