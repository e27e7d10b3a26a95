/** No secret of an app is shown, neither in its settings nor in its arguments. */
import t from 'tap';
import { maskSecrets } from '../../src/shared/secrets.js';

const MASK = '********';

t.test('values that look like secrets', async (t) => {
  const rows = [
    [
      { cwd: '/srv', script: '/srv/a.js' },
      { cwd: '/srv', script: '/srv/a.js' },
    ],
    [{ env: { DB_PASSWORD: 'x', PORT: '80' } }, { env: { DB_PASSWORD: MASK, PORT: '80' } }],
    [{ given: { 'env.DB_PASSWORD': 'file' } }, { given: { 'env.DB_PASSWORD': 'file' } }],
    [{ args: ['--db-password', 'x', 'y'] }, { args: ['--db-password', MASK, 'y'] }],
    [
      { args: ['--db-password=x', '-p', '3000'] },
      { args: [`--db-password=${MASK}`, '-p', '3000'] },
    ],
    [{ args: ['--token', '--verbose'] }, { args: ['--token', '--verbose'] }],
    [{ args: ['--secret', '--verbose', 'x'] }, { args: ['--secret', '--verbose', 'x'] }],
    [{ args: ['redis://me:pass@host'] }, { args: [`redis://me:${MASK}@host`] }],
    [
      { http: 'http://me:pass@host/health', port: 1 },
      { http: `http://me:${MASK}@host/health`, port: 1 },
    ],
    [{ args: ['API_KEY=x'] }, { args: [`API_KEY=${MASK}`] }],
    [{ args: ['--pwd', 'x', '--jwt=x'] }, { args: ['--pwd', MASK, `--jwt=${MASK}`] }],
    [
      { env: { DBPW: 'x', APP_CREDS: 'x', OTP: 'x', PWD: '/srv', OLDPWD: '/' } },
      { env: { DBPW: MASK, APP_CREDS: MASK, OTP: MASK, PWD: '/srv', OLDPWD: '/' } },
    ],
    [{ args: ['--set-env=API_KEY=x y'] }, { args: [`--set-env=API_KEY=${MASK}`] }],
    [{ args: ['--set-env=A=b=c'] }, { args: ['--set-env=A=b=c'] }],
    [{ env: { DB_PASSWORD: 'a=b' } }, { env: { DB_PASSWORD: MASK } }],
    [{ url: 'postgres://me:x@db/shop' }, { url: `postgres://me:${MASK}@db/shop` }],
    [{ line: 'node a.js --api-key x --port 1' }, { line: `node a.js --api-key ${MASK} --port 1` }],
    [{ line: 'node a.js --db-token=x b' }, { line: `node a.js --db-token=${MASK} b` }],
    [
      { a: null, b: 1, c: [true, null] },
      { a: null, b: 1, c: [true, null] },
    ],
  ];
  for (const [value, masked] of rows) {
    t.strictSame(maskSecrets(value), masked, JSON.stringify(value));
  }
});
