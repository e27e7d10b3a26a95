import t from 'tap';
import { readManagerCall } from '../../../src/config/command/open-manager-call.js';

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
    ['npm start -- -p 3000', script('start', '-p', '3000')],
    ['npm run serve a -- --b', script('serve', 'a', '--b')],
    ['npx next start', { program: ['next', 'start'] }],
    ['npx next start -p 3', { program: ['next', 'start', '-p', '3'] }],
    ['pnpm start', script('start')],
    ['pnpm start -p 3000', script('start', '-p', '3000')],
    ['pnpm run serve -- --b', script('serve', '--', '--b')],
    ['yarn start', script('start')],
    ['yarn start --b', script('start', '--b')],
    ['yarn run serve -- --b', script('serve', '--b')],
  ];
  for (const [line, call] of rows) t.same(read(line), call, line);
});

t.test('what cannot be read, or runs no script', async (t) => {
  const rows = [
    ['npm', /names nothing to run/],
    ['npm run', /names nothing to run/],
    ['npm start --inspect', /the option --inspect/],
    ['npm install', /something else than start or run \(install\)/],
    ['npm exec next start', /something else than start or run \(exec\)/],
    ['npx -p next next start', /the option -p/],
    ['npx', /names nothing to run/],
    ['npx serve@latest', /may download serve@latest/],
    ['pnpm -r start', /the option -r/],
    ['yarn serve', /something else than start or run \(serve\)/],
  ];
  for (const [line, fault] of /** @type {[string, RegExp][]} */ (rows)) {
    t.match(read(line), { fault }, line);
  }
});
