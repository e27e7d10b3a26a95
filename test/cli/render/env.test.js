import t from 'tap';
import { renderEnv } from '../../../src/cli/commands/describe.js';

const plain = { width: null, colours: false };
const env = {
  PORT: { value: '3000', from: 'file' },
  HOME: { value: '/root\n\u001b[2J', from: 'shell' },
};

t.test('a line for each variable, in order, with where it comes from', async (t) => {
  t.equal(renderEnv([{ name: 'api', env }], plain), 'HOME=/root\\x0a\\x1b[2J\nPORT=3000  # file');
});

t.test('several apps are titled', async (t) => {
  const apps = [
    { name: 'api', env: {} },
    { name: 'web', env: { A: { value: '', from: 'shell' } } },
  ];
  t.equal(renderEnv(apps, plain), 'api\n\nweb\nA=');
});
