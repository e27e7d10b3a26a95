import t from 'tap';
import { readManagerCall } from '../../../src/config/command/package-manager.js';

/** @param {string} line */
const read = (line) => {
  const [manager, ...words] = line.split(' ');
  return readManagerCall(manager, words);
};

t.test('which script or program a package manager is asked to run', async (t) => {
  const script = (/** @type {string} */ name, /** @type {string[]} */ ...args) => ({
    script: name,
    args,
  });
  /** @type {[line: string, call: object][]} */
  const rows = [
    ['npm start', script('start')],
    ['npm run serve', script('serve')],
    ['npm run-script serve', script('serve')],
    ['npm start -- -p 3000', script('start', '-p', '3000')],
    ['npm run serve a -- --b', script('serve', 'a', '--b')],
    ['npm -s run serve', script('serve')],
    ['npm run serve --silent', script('serve')],
    ['npm --prefix api start', { ...script('start'), directory: 'api' }],
    ['npm --prefix=api start', { ...script('start'), directory: 'api' }],
    ['npm start -w packages/api', { ...script('start'), workspace: 'packages/api' }],
    ['npm run start --workspace=api', { ...script('start'), workspace: 'api' }],
    ['npm exec next start', { program: ['next', 'start'] }],
    ['npm exec -- next start -p 3000', { program: ['next', 'start', '-p', '3000'] }],
    ['npx next start', { program: ['next', 'start'] }],
    ['npx --no-install next start -p 3', { program: ['next', 'start', '-p', '3'] }],
    ['npx -y -- serve -s', { program: ['serve', '-s'] }],
    ['bunx next start', { program: ['next', 'start'] }],
    ['pnpm start', script('start')],
    ['pnpm start -p 3000', script('start', '-p', '3000')],
    ['pnpm run serve -- --b', script('serve', '--', '--b')],
    ['pnpm serve', { ...script('serve'), isDefault: false }],
    ['pnpm -C api start', { ...script('start'), directory: 'api' }],
    ['pnpm exec next start', { program: ['next', 'start'] }],
    ['yarn start', script('start')],
    ['yarn serve --b', { ...script('serve', '--b'), isDefault: false }],
    ['yarn run serve -- --b', script('serve', '--b')],
    ['yarn --cwd api start', { ...script('start'), directory: 'api' }],
    ['yarn workspace api start', { ...script('start'), workspace: 'api' }],
    ['yarn node server.js', { program: ['node', 'server.js'] }],
    ['bun run start', script('start')],
  ];
  for (const [line, call] of rows) t.match(read(line), call, line);
});

t.test('what cannot be read, or runs no script', async (t) => {
  const rows = [
    ['npm', /names no script/],
    ['npm run', /names no script/],
    ['npm start --inspect', /the option --inspect/],
    ['npm install', /npm install/],
    ['npm exec -c x', /the option -c/],
    ['npx -p next next start', /the option -p/],
    ['npx', /names no program/],
    ['npx serve@latest', /may download serve@latest/],
    ['pnpm --filter api start', /the option --filter/],
    ['pnpm dlx serve', /pnpm dlx/],
    ['yarn add x', /yarn add/],
    ['bun server.ts', /bun server\.ts/],
  ];
  for (const [line, fault] of /** @type {[string, RegExp][]} */ (rows)) {
    t.match(read(line), { fault }, line);
  }
});
