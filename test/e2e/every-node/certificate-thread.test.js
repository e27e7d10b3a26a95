/**
 * Newer versions of Node read the file of NODE_EXTRA_CA_CERTS in a thread, whose descriptor looks like one of the shell.
 * Closing it made the thread close a descriptor of somebody else, and left certificates out.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { NODE, plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { watched } from '../../support/home.js';
import { ROOT } from '../../support/sources.js';
import { until } from '../../support/until.js';

const FILE = pathToFileURL(join(ROOT, 'src/shared/processes/inherited-descriptors.js')).href;
/** More than the thread reads at once. */
const CERTIFICATES = rootCertificates.slice(0, 20);

/** The descriptors below 16 are in use, so that the thread gets a higher one. */
const PROGRAM = `
  import { openSync, readdirSync, readlinkSync } from 'node:fs';
  import { closeInheritedDescriptors } from ${JSON.stringify(FILE)};
  while (openSync('/dev/null') < 16);
  const linkOf = (fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } };
  const isReading = () => readdirSync('/proc/self/fd').some((fd) => linkOf(fd) === process.env.NODE_EXTRA_CA_CERTS);
  const { getCACertificates } = await import('node:tls');
  while (!isReading()) await new Promise(setImmediate);
  console.log('It reads.');
  closeInheritedDescriptors();
  console.log('certificates:', getCACertificates('extra').length);
  process.exit();
`;

t.test('certificates that a thread of Node reads', async (t) => {
  const version = execFileSync(NODE, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (process.platform !== 'linux' || Number.parseInt(version) < 24) {
    return t.skip('only later versions of Node, on Linux, have this thread');
  }
  const fifo = join(t.testdir(), 'certificates.pem');
  execFileSync('mkfifo', [fifo]);
  const env = { ...plainEnv(), NODE_EXTRA_CA_CERTS: fifo };
  const args = ['--input-type=module', '-e', PROGRAM];
  const program = watched(spawnClean(NODE, args, { env }), 'the program');
  const writer = await open(fifo, 'w');
  await writer.write(`${CERTIFICATES[0]}\n`);
  await program.said(/It reads/);
  const stat = `/proc/${program.child.pid}/stat`;
  await until(
    () => /\) S /.test(readFileSync(stat, 'latin1')),
    'its main thread to wait for the other',
  );
  await writer.write(CERTIFICATES.slice(1).join('\n'));
  await writer.close();
  const { stdout, stderr } = await program.ended;
  t.match(stdout, `certificates: ${CERTIFICATES.length}\n`);
  t.equal(stderr, '', 'no certificate is ignored');
});
