/** What the manifests say about three apps, and that nothing is lost in silence. */
import t from 'tap';
import { exampleOf } from '../../../scripts/options-page.js';
import { ConfigSource, ConfigValue } from '../../../src/config/file/config-value.js';
import { options } from '../../../src/config/options/table.js';
import { exportOf, shopApp, threeApps } from './three-apps.js';

t.test('three apps', async (t) => {
  const { text, files } = exportOf(threeApps, { image: 'example.com/shop:1' });
  t.matchSnapshot(text, 'text');
  t.matchSnapshot(files.map(({ name }) => name).join('\n'), 'files');
  t.notMatch(text, /hunter2/, 'no secret');
  t.notMatch(text, /SHELL_ONLY|of the shell/, 'nothing of the shell');
  const again = exportOf(threeApps, { image: 'example.com/shop:1' });
  t.equal(again.text, text, 'the same each time');
});

t.test('every option of an app is in the text or in a warning', async (t) => {
  const plain = textWith({});
  for (const option of options.filter(({ spec }) => spec !== null)) {
    const text = textWith(otherValueOf(option));
    t.not(text, plain, `${option.key} changes it`);
    t.match(text, new RegExp(`\\b${option.key}\\b`), `${option.key} is named`);
  }
});

t.test('options that the text does not name only contribute to others', async (t) => {
  const contributing = options.filter(({ spec }) => spec === null).map(({ key }) => key);
  t.same(contributing, ['append_env_to_name', 'port', 'env_<name>', 'env_file', 'disable_logs']);
});

function textWith(setting) {
  const { text, warnings } = exportOf([shopApp({ name: 'app', env: { A: 'a' }, ...setting })]);
  return `${text}\n${warnings.map((warning) => warning.text).join('\n')}`;
}

function otherValueOf({ key, spec, type }) {
  if (key === 'exec_mode') return { execMode: 'fork', interpreter: 'node' };
  const isPath = ['script', 'cwd', 'interpreter'].includes(key);
  const value = isPath ? `/opt/${key}` : exampleOf({ key });
  return { [String(spec)]: type.read(new ConfigValue(value, [], new ConfigSource())) };
}
