import t from 'tap';
import { renderTable, sortApps } from '../../../src/cli/render/ls.js';
import { renderNotes } from '../../../src/show/terminal/notes.js';
import { sortKeys } from '../../../src/cli/commands/ls.js';
import * as versions from '../../../src/cli/render/versions.js';

const OWN = { version: '0.2.0', node: 'v22.11.0' };

const said = (daemon, ...primaries) => {
  const apps = primaries.map(([primaryVersion, primaryNode], at) => {
    return { name: `a${at}`, primaryVersion, primaryNode };
  });
  const [line = ''] = versions.describeOtherVersions(daemon, apps, OWN);
  return line.replace(/^Another version than this command /, '');
};

t.test('one line for the daemon and the primaries of other versions', async (t) => {
  const [own, old, next] = [['0.2.0'], ['0.1.0'], ['0.10.0']];
  const many = 'a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 and 2 more';
  t.equal(said(null), '');
  t.equal(said({ version: '0.2.0' }, own, [null]), '');
  for (const [version, primaries, expected] of [
    ['0.1.0', [own], 'the daemon (older, 0.1.0). Run `nodecluster update`.'],
    ['0.2.0', [old], 'the primary of a0 (older, 0.1.0). Run `nodecluster update --apps`.'],
    [
      '0.10.0',
      [old, own, next],
      'the daemon (newer, 0.10.0), the primary of a0 (older, 0.1.0), the primary of a2 ' +
        '(newer, 0.10.0). Run `nodecluster update --apps`.',
    ],
    [
      '0.2.0',
      Array(12).fill(old),
      `the primary of ${many} (older, 0.1.0). Run \`nodecluster update --apps\`.`,
    ],
  ]) {
    t.equal(said({ version }, ...primaries), `(0.2.0, Node 22.11.0): ${expected}`);
  }
  t.equal(versions.oldnessOf({ version: '0.2.0-beta.1' }, OWN), 'another, 0.2.0-beta.1');
});

t.test('an older Node is named, a newer one is not', async (t) => {
  const on = (node, ...others) =>
    said({ version: '0.2.0', node }, ...others.map((each) => ['0.2.0', each]));
  t.equal(on('v22.11.0', 'v22.11.0'), '');
  t.equal(on('v24.0.0', 'v24.0.0', null), '');
  const daemon = (node) => `(0.2.0, Node 22.11.0): the daemon (older, Node ${node})`;
  t.equal(on('v22.9.0'), `${daemon('22.9.0')}. Run \`nodecluster update\`.`);
  const primary = 'the primary of a0 (older, Node 20.12.0)';
  const both = `${daemon('20.12.0')}, ${primary}. Run \`nodecluster update --apps\`.`;
  t.equal(on('v20.12.0', 'v20.12.0', 'v22.11.0', null), both);
});

t.test('what a newer daemon adds is ignored, and a value that is not known is shown', async (t) => {
  const terminal = { width: 120, colours: true };
  const worker = {
    ...{ id: 0, slot: 0, pid: 7, isReady: true, cpu: 1, memory: 1, startedAt: 1 },
    ...{ restarts: 0, generation: 1, listening: [], status: 'asleep', future: { deep: [1] } },
  };
  const apps = [1, 2].map((count) => ({
    ...{ name: `api${count}`, namespace: 'default', script: '/a.js' },
    ...{ instances: count, scheduling: 'magic', generation: 1 },
    ...{ primaryPid: 6, primaryVersion: '9.0.0', restarts: 0 },
    ...{ logDroppedBytes: 0, status: 'asleep', mode: 'thread', future: [1] },
    workers: Array.from({ length: count }, (_, slot) => ({ ...worker, id: slot, slot })),
  }));
  const table = renderTable(apps, terminal);
  for (const shown of [/asleep/, /thread/, /api2:1/]) t.match(table, shown);
  t.same(renderNotes(apps, terminal), []);
  for (const key of sortKeys) t.equal(sortApps(apps, { key }).length, apps.length);
});

const OLD = { pid: 1, version: '0.9.0', node: 'v20.12.0' };
const NEW = { pid: 2, version: '0.10.0', node: 'v22.11.0' };

t.test('what update has done', async (t) => {
  const earlier = { ...OLD, node: NEW.node };
  for (const [before, after, expected] of [
    [OLD, NEW, 'nodecluster 0.9.0 → 0.10.0, Node 20.12.0 → 22.11.0, pid 1 → 2.'],
    [OLD, { ...NEW, node: OLD.node }, 'nodecluster 0.9.0 → 0.10.0, pid 1 → 2.'],
    [{ ...OLD, version: '0.10.0' }, NEW, 'nodecluster 0.10.0, Node 20.12.0 → 22.11.0, pid 1 → 2.'],
    [NEW, earlier, 'nodecluster 0.10.0 → 0.9.0 (an earlier version), pid 2 → 1.'],
  ]) {
    t.equal(versions.describeUpdate(before, after), `Updated the daemon: ${expected}`);
  }
  const current = 'The daemon is up to date: nodecluster 0.9.0, Node 20.12.0, pid 1.';
  t.equal(versions.describeUpdate(OLD, OLD), current);
});
