/** Secrets of each kind, as they stand in logs. None of them is in use anywhere. */

/** @type {[name: string, secret: string, text: string][]} */
export const PLANTED = [
  ['a variable', 'planted02', 'DB_PASSWORD=planted02 node app.js'],
  ['a URL with a password', 'planted03', 'redis://user:planted03@db:6379/0 refused'],
  ['a password with @', 'planted04', 'redis://user:p@planted04@db:6379/0 refused'],
  ['a URL with a token', 'planted05', 'cloning https://planted05@git.example.com/x.git'],
  ['an AWS secret', 'planted09', 'aws_secret_access_key = planted09/abc+def'],
  ['a flag', 'planted11', 'node app.js --db-password planted11 --port 3000'],
  ['a flag with =', 'planted12', 'node app.js --auth-token=planted12'],
  ['arguments', 'planted13', '["app.js","--api-key","planted13"]'],
  ['a cookie', 'planted14', 'Cookie: theme=dark; sid=planted14'],
  ['a cookie that is set', 'planted15', "'set-cookie': [ 'sid=planted15; Path=/' ]"],
  ['basic authorization', 'planted16', 'Authorization: Basic planted16'],
  ['a query', 'planted17', 'GET /x?page=1&access_token=planted17&z=1'],
  ['JSON', 'planted18', '{"user":"a","clientSecret":"planted18"}'],
  ['YAML', 'planted19', 'passphrase: correct horse planted19'],
  ['a header with another name', 'planted21', 'X-Api-Key: planted21'],
  ['a variable that ends so', 'planted28', 'PGPASS=planted28'],
  [
    'a token with its name in a header',
    'planted55',
    'Authorization: Token token="planted55", a="b"',
  ],
  ['a hash of Ruby or PHP', 'planted56', "PASSWORD => planted56, 'DB_PASSWORD' => 'planted56'"],
  ['the key of a radio network', 'planted58', 'PSK=planted58 WPA_PSK=planted58 wpa-psk: planted58'],
  ['cookies of a session', 'planted59', 'Cookie: theme=dark; connect.sid=s%3Aplanted59'],
  ['the same by their names', 'planted60', 'connect.sid=s%3Aplanted60 PHPSESSID=planted60; path=/'],
  ['the same in JSON', 'planted61', '{"set-cookie":["sid=planted61; Path=/","b=planted61"]}'],
];
