import t from 'tap';
import { renderList, renderTable } from '../../../src/cli/render/ls.js';
import { renderNotes } from '../../../src/show/terminal/notes.js';
import { sortKeys } from '../../../src/cli/commands/ls.js';
import { arrangeApps } from '../../../src/cli/render/sort.js';
import {
  oldnessOf,
  describeOtherVersions,
  describeUpdate,
} from '../../../src/cli/render/versions.js';

const OWN = { version: '0.2.0', node: 'v22.11.0' };

t.test('one line for the daemon and the primaries of other versions', async (t) => {
  const api = { name: 'api', primaryVersion: '0.1.0' };
  const web = { name: 'web', primaryVersion: '0.2.0' };
  const next = { name: 'next', primaryVersion: '0.10.0' };
  const down = { name: 'down', primaryVersion: null };
  const rows = [
    [null, [], null],
    ['0.2.0', [web, down], null],
    ['0.1.0', [web], 'the daemon (older, 0.1.0). `nodecluster update` replaces it.'],
    ['0.2.0', [api], 'the primary of api (older, 0.1.0). `nodecluster update --apps` replaces it.'],
    [
      '0.10.0',
      [api, web, next],
      'the daemon (newer, 0.10.0), the primary of api (older, 0.1.0), the primary of next ' +
        '(newer, 0.10.0). `nodecluster update --apps` replaces them.',
    ],
    [
      '0.2.0',
      [...'abcdefghijkl'].map((name) => ({ ...api, name })),
      'the primary of a, b, c, d, e, f, g, h, i, j and 2 more (older, 0.1.0). `nodecluster update --apps` replaces them.',
    ],
  ];
  for (const [version, apps, expected] of rows) {
    const [line = null] = describeOtherVersions(version && { version }, apps, OWN);
    t.equal(line, expected && `Another version than this command (0.2.0): ${expected}`);
  }
  t.equal(oldnessOf({ version: '0.2.0-beta.1' }, OWN), 'another, 0.2.0-beta.1');
});

t.test('an older Node is named, a newer one is not', (t) => {
  const rows = [
    ['v22.11.0', ['v22.11.0'], null],
    ['v24.0.0', ['v24.0.0', null], null],
    ['v22.9.0', [], 'the daemon (older, Node 22.9.0). `nodecluster update` replaces it.'],
    [
      'v20.12.0',
      ['v20.12.0', 'v22.11.0', null],
      'the daemon (older, Node 20.12.0), the primary of a0 (older, Node 20.12.0). ' +
        '`nodecluster update --apps` replaces them.',
    ],
  ];
  for (const [node, primaries, expected] of rows) {
    const apps = primaries.map((primaryNode, index) => {
      return { name: `a${index}`, primaryVersion: '0.2.0', primaryNode };
    });
    const [line = null] = describeOtherVersions({ version: '0.2.0', node }, apps, OWN);
    t.equal(
      line,
      expected && `Another version than this command (0.2.0, Node 22.11.0): ${expected}`,
    );
  }
  t.end();
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
  t.match(renderList(apps), /api1/);
  t.same(renderNotes(apps, terminal), []);
  for (const key of sortKeys) t.equal(arrangeApps(apps, { sort: { key } }).length, apps.length);
});

const OLD = { pid: 1, version: '0.9.0', node: 'v20.12.0' };
const NEW = { pid: 2, version: '0.10.0', node: 'v22.11.0' };
const API = { name: 'api', status: 'online', primaryPid: 7, workers: [{ pid: 8 }] };
const WEB = { name: 'web', status: 'online', primaryPid: 9, workers: [] };
const DOWN = { name: 'down', status: 'stopped', workers: [] };

t.test('what update has done', (t) => {
  const rows = [
    [OLD, NEW, 'nodecluster 0.9.0 → 0.10.0, Node 20.12.0 → 22.11.0, pid 1 → 2.'],
    [OLD, { ...NEW, node: OLD.node }, 'nodecluster 0.9.0 → 0.10.0, pid 1 → 2.'],
    [
      OLD,
      { ...NEW, version: OLD.version },
      'nodecluster 0.9.0, Node 20.12.0 → 22.11.0, pid 1 → 2.',
    ],
    [
      NEW,
      { ...OLD, node: NEW.node },
      'nodecluster 0.10.0 → 0.9.0 (an earlier version), pid 2 → 1.',
    ],
  ];
  for (const [before, after, expected] of rows) {
    const text = describeUpdate({ daemon: before, apps: [] }, { daemon: after, apps: [] });
    t.equal(text, `Updated the daemon: ${expected}`);
  }
  const same = { daemon: OLD, apps: [API] };
  t.equal(
    describeUpdate(same, same),
    'The daemon is up to date: nodecluster 0.9.0, Node 20.12.0, pid 1.',
  );
  t.end();
});

t.test('and what it has not done to the apps', (t) => {
  const changed = { ...API, primaryPid: 70 };
  // What the daemon shows of a primary that has not replied to it yet.
  const silent = { ...API, status: 'unknown', workers: [{ ...API.workers[0], pid: undefined }] };
  const rows = [
    [[DOWN], [DOWN], 'pid 1 → 2.'],
    [[API, DOWN], [API, DOWN], 'Every app runs as before, with the same processes.'],
    [
      [API, WEB],
      [changed, WEB],
      'of api changed meanwhile, or their primary does not reply. Every other app runs as before.',
    ],
    [[API], [changed], 'of api changed meanwhile, or their primary does not reply.'],
    [
      [API, WEB],
      [silent, changed],
      'of api, web changed meanwhile, or their primary does not reply.',
    ],
    [[silent], [silent], 'Every app runs as before, with the same processes.'],
  ];
  for (const [before, after, expected] of rows) {
    const text = describeUpdate({ daemon: OLD, apps: before }, { daemon: NEW, apps: after });
    t.ok(text.endsWith(expected), text);
  }
  t.end();
});
