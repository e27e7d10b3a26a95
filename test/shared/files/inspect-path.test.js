/** Paths that cannot be looked at are ordinary faults of a file or a flag. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fromFlags } from '../../../src/config/flags.js';
import { ecosystemTemplate } from '../../../src/config/init.js';
import { inspectPath } from '../../../src/shared/files/inspect-path.js';
import { ecosystemDirectory } from '../../config/ecosystem-directory.js';

const isRoot = process.getuid?.() === 0;

t.test('the kind of a path, and why it could not be inspected', async (t) => {
  const { directory } = ecosystemDirectory(t);
  symlinkSync('loop', join(directory, 'loop'));
  symlinkSync('app.js', join(directory, 'link'));
  t.same(inspectPath(directory), { kind: 'directory', fault: null });
  t.same(inspectPath(join(directory, 'link')), { kind: 'file', fault: null });
  t.same(inspectPath('/dev/null'), { kind: null, fault: null });
  t.same(inspectPath(join(directory, 'gone')), { kind: null, fault: null });
  t.same(inspectPath(join(directory, 'app.js/x')), { kind: null, fault: null });
  t.match(inspectPath(join(directory, 'loop')), { kind: null, fault: /^too many symbolic links/ });
  t.same(inspectPath(join(directory, 'x'.repeat(300))), { kind: null, fault: 'name too long' });
});

t.test('a script and a cwd that cannot be inspected, along with other errors', async (t) => {
  const { directory, refusal, resolve } = ecosystemDirectory(t, {
    'x.yml': [
      'apps:',
      '  - {name: a, script: loop/a.js}',
      '  - {name: b, script: app.js, cwd: loop}',
      '  - {name: c, script: app.js/no.js}',
      '  - {name: d, script: app.js, args: {}}',
    ].join('\n'),
    'y.yml': 'script: app.js\nexec_mode: fork\ninterpreter: npm\n',
  });
  symlinkSync('loop', join(directory, 'loop'));
  const { code, exit, text } = await refusal('x.yml');
  t.match({ code, exit }, { code: 'E_CONFIG_INVALID', exit: 3 });
  t.match(text, /x\.yml:2:23 .*got "loop\/a\.js" \(HERE\/loop\/a\.js: too many symbolic links/);
  t.match(text, /x\.yml:3:36 .*got "loop" \(HERE\/loop: too many symbolic links/);
  t.match(text, /x\.yml:4:23 .*\(there is no HERE\/app\.js\/no\.js\)/);
  t.match(text, /x\.yml:5:37 .*args/);
  const PATH = [join(directory, 'loop'), join(directory, 'app.js'), join(directory, 'bin')].join(
    ':',
  );
  t.match((await resolve('y.yml', { shellEnv: { PATH } })).specs, [{ interpreter: 'npm' }]);
});

t.test('the same for flags', async (t) => {
  const { directory, shellEnv } = ecosystemDirectory(t);
  symlinkSync('loop', join(directory, 'loop'));
  t.throws(() => fromFlags({ script: './loop' }, { cwd: directory, shellEnv }), {
    code: 'E_CANNOT_RUN',
    exitCode: 4,
    message: /too many symbolic links/,
  });
});

t.test('init skips paths that cannot be inspected', async (t) => {
  const { directory } = ecosystemDirectory(t);
  symlinkSync('loop', join(directory, 'loop'));
  const packageJson = { main: 'loop', scripts: { start: 'node loop/server' } };
  t.match(ecosystemTemplate({ packageJson, directory }), /script: "\.\/app\.js"/);
});

t.test('a directory that this account may not enter', { skip: isRoot }, async (t) => {
  const { directory, refusal } = ecosystemDirectory(t, {
    'x.yml': '- {script: shut/a.js}\n- {script: app.js, name: b, cwd: shut}\n',
  });
  const shut = join(directory, 'shut');
  mkdirSync(shut);
  chmodSync(shut, 0o600);
  t.teardown(() => chmodSync(shut, 0o700));
  const { code, text } = await refusal('x.yml');
  t.equal(code, 'E_CONFIG_INVALID');
  t.match(text, /x\.yml:1:12 .*\(HERE\/shut\/a\.js: permission denied\)/);
  t.match(text, /x\.yml:2:34 .*may be entered, got "shut" \(HERE\/shut: permission denied\)/);
});
