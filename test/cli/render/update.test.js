import t from 'tap';
import { describeUpdate } from '../../../src/cli/render/update.js';

const OLD = { pid: 1, version: '0.9.0', node: 'v20.12.0' };
const NEW = { pid: 2, version: '0.10.0', node: 'v22.11.0' };
const API = { name: 'api', status: 'online', primaryPid: 7, workers: [{ pid: 8 }] };
const WEB = { name: 'web', status: 'online', primaryPid: 9, workers: [] };
const DOWN = { name: 'down', status: 'stopped', primaryPid: null, workers: [] };

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
  const silent = { ...API, status: 'unknown', workers: [{ ...API.workers[0], pid: null }] };
  const silentWeb = { ...WEB, status: 'unknown', primaryPid: null };
  const rows = [
    [[DOWN], [DOWN], 'pid 1 → 2.'],
    [[API, DOWN], [API, DOWN], 'Every app runs as before, with the same processes.'],
    [
      [API, WEB],
      [changed, WEB],
      'The processes of api changed meanwhile. Every other app runs as before.',
    ],
    [[API], [changed], 'The processes of api changed meanwhile.'],
    [
      [API, WEB],
      [silent, WEB],
      'It is not known whether the processes of api changed: its primary did not reply. Every other app runs as before.',
    ],
    [[silent], [API], 'of api changed: its primary did not reply.'],
    [[API, WEB], [silent, silentWeb], 'of api, web changed: their primaries did not reply.'],
    [
      [API, WEB],
      [silent, { ...WEB, primaryPid: 90 }],
      'The processes of web changed meanwhile. It is not known whether the processes of api changed: its primary did not reply.',
    ],
    [[API], [{ ...silent, primaryPid: 70 }], 'The processes of api changed meanwhile.'],
    [[silent], [silent], 'Every app runs as before, with the same processes.'],
  ];
  for (const [before, after, expected] of rows) {
    const text = describeUpdate({ daemon: OLD, apps: before }, { daemon: NEW, apps: after });
    t.ok(text.endsWith(expected), text);
  }
  t.end();
});
