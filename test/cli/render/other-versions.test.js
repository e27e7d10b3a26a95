import t from 'tap';
import { renderList, renderNotes, renderTable } from '../../../src/cli/render/table/ls.js';
import { sortApps, sortKeys } from '../../../src/cli/render/table/sort.js';
import { ageOf, describeOtherVersions } from '../../../src/cli/render/other-versions.js';

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
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ ...api, name })),
      'the primary of a, b, c, d, e and 2 more (older, 0.1.0). `nodecluster update --apps` replaces them.',
    ],
  ];
  for (const [version, apps, expected] of rows) {
    const [line = null] = describeOtherVersions(version && { version }, apps, OWN);
    t.equal(line, expected && `Another version than this command (0.2.0): ${expected}`);
  }
  t.equal(ageOf({ version: '0.2.0-beta.1' }, OWN), 'another, 0.2.0-beta.1');
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
    ...{ id: 0, slot: 0, pid: 7, isReady: true, health: null, cpu: 1, memory: 1, uptimeMs: 1 },
    ...{ restarts: 0, generation: 1, blockedMs: null, stack: null, listening: [] },
    ...{ retryInMs: null, reason: null, status: 'asleep', future: { deep: [1] } },
  };
  const apps = [1, 2].map((count) => ({
    ...{ name: `api${count}`, namespace: 'default', script: '/a.js', user: null },
    ...{ instances: count, autoscaling: null, job: null, scheduling: 'magic', generation: 1 },
    ...{ primaryPid: 6, primaryVersion: '9.0.0', primaryNode: null, restarts: 0, busy: null },
    ...{ logDroppedBytes: 0, note: null, status: 'asleep', mode: 'thread', future: [1] },
    workers: Array.from({ length: count }, (_, slot) => ({ ...worker, id: slot, slot })),
  }));
  const table = renderTable(apps, terminal);
  for (const shown of [/asleep/, /thread/, /api2:1/]) t.match(table, shown);
  t.match(renderList(apps), /api1/);
  t.same(renderNotes(apps, terminal), []);
  for (const key of sortKeys) t.equal(sortApps(apps, { key }).length, apps.length);
});
