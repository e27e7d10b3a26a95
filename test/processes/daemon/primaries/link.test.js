/** A primary that runs but does not answer in time: it is looked for until it answers or has ended. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { completeSpec } from '../../../../src/config/options/table.js';
import { openLog } from '../../../../src/daemon/log.js';
import { PrimaryLink } from '../../../../src/daemon/primaries/link.js';
import { ensureHome } from '../../../../src/shared/home.js';
import { killAll } from '../../../support/processes.js';
import { eventOf } from '../../../support/until.js';
import { killNow, webSpec } from '../../daemon-under-test.js';

/** @param {string} name @returns {string} as it stands in an import */
const source = (name) =>
  JSON.stringify(fileURLToPath(new URL(`../../../../src/${name}`, import.meta.url)));

/** Says who it is, as a primary does, but becomes one only when it is told to. */
const slowPrimary = (go) => `
  import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
  import { identify } from ${source('shared/processes/identity.js')};
  import { homePaths } from ${source('shared/home.js')};
  const { spec, home } = JSON.parse(readFileSync(process.argv[3], 'utf8'));
  const { record, socket } = homePaths(home).app(spec.name);
  process.argv.splice(1, 1);
  writeFileSync(record, JSON.stringify({ ...identify(process.pid), socket }));
  writeSync(3, 'listening');
  const timer = setInterval(async () => {
    if (!existsSync('${go}')) return;
    clearInterval(timer);
    await import(${source('primary/main.js')});
  }, 20);`;

/** A launch that was given up on, while what it launched goes on. */
async function launchedInVain(t) {
  const root = mkdtempSync(path.join(tmpdir(), 'nc-'));
  const paths = ensureHome(path.join(root, 'home'));
  const [go, interpreter, script] = ['go', 'slow-node', 'slow.mjs'].map((name) =>
    path.join(root, name),
  );
  writeFileSync(script, slowPrimary(go));
  writeFileSync(
    interpreter,
    `#!/bin/sh\nshift # the option of V8\nexec '${process.execPath}' '${script}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const link = new PrimaryLink({
    app: 'web',
    pathsOf: () => paths.app('web'),
    log: openLog(paths.daemonLog),
    holderOf: () => undefined,
    holdTimeoutMs: () => 0,
    firstReplyMs: 100,
  });
  t.teardown(async () => {
    await killAll(root);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const spec = completeSpec(await webSpec({ instances: 1, interpreter }));
  const order = {
    spec,
    generation: 1,
    home: paths.home,
    slots: [0],
    stoppedSlots: [],
    listeningRecord: null,
    createdAt: null,
  };
  await t.rejects(link.launch(order), { code: 'E_PRIMARY_SILENT' }, 'it has not exited');
  t.equal(link.state, 'unknown');
  return { link, answer: () => writeFileSync(go, '') };
}

t.test('a primary that answers later is found', async (t) => {
  const { link, answer } = await launchedInVain(t);
  const { pid } = link;
  const found = eventOf(link, 'found');
  answer();
  await found;
  t.match(link, { state: 'connected', pid, trouble: null });
  await link.shutdown({ timeoutMs: 30_000 });
});

t.test('a primary that exits without an answer is lost', async (t) => {
  const { link } = await launchedInVain(t);
  const lost = eventOf(link, 'lost');
  killNow(link.pid);
  await lost;
  t.match(link, { state: 'none', pid: null });
  await link.shutdown({ timeoutMs: 1 });
});
