/** A primary that takes the place of another one: its record may be there before it answers. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { PrimaryLink } from '../../../src/daemon/primaries/link.js';
import { serve } from '../../../src/protocol/server.js';
import { PACKAGE_ROOT } from '../../../src/shared/package/root.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { VERSION } from '../../../src/shared/version.js';
import { snapshotWith } from '../../support/snapshot.js';

t.test('it is waited for until it is clear whether it serves', async (t) => {
  const directory = t.testdir();
  const [record, socket, nextRecord] = ['record', 'p.sock', 'next'].map((name) =>
    path.join(directory, name),
  );
  const own = { root: PACKAGE_ROOT, node: process.version, version: VERSION, shares: 'cluster' };
  writeFileSync(record, JSON.stringify({ ...identify(process.pid), ...own, socket }));
  const log = { of: () => log, info: () => {}, warn: () => {}, error: () => {} };
  const pathsOf = () => ({ record, socket, nextRecord, log: '' });
  const options = { app: 'api', log, pathsOf, holderOf: () => undefined };
  const link = new PrimaryLink(/** @type {any} */ (options));
  const adopted = link.adoptSuccessor();
  const methods = { subscribe: () => snapshotWith(), ping: () => null };
  const unclear = new Promise((resolve) => {
    log.error = (event) => event === 'primary.unclear' && resolve(link.state);
  });
  t.equal(await unclear, 'none', 'nobody listens yet');
  const server = await serve(socket, { methods, hello: { role: 'primary', version: VERSION } });
  await adopted;
  t.equal(link.state, 'connected', String(link.trouble));
  link.detach();
  await server.close();
});
