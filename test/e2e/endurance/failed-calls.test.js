/**
 * Single system calls of daemon and primary fail. It is another sample each day; SEED=<number> repeats one, and
 * SIZE=<number> takes more.
 */
import { execFileSync } from 'node:child_process';
import t from 'tap';
import { withLibrary } from '../../support/failing-calls/library.js';
import { sampleCalls } from '../../support/failing-calls/sample.js';
import { NODE } from '../../support/home.js';

const SIZE = Number(process.env.SIZE ?? 20);
const DAY_MS = 24 * 3600 * 1000;
/** Each call waits up to 20 s, twice, for what is broken. */
const TIMEOUT_MS = SIZE * 22_500;

t.setTimeout(TIMEOUT_MS);

t.test('a system call that fails', { skip: reasonToSkip() }, async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Date.now() / DAY_MS));
  t.comment(`SEED=${seed}`);
  const samples = await withLibrary((library) =>
    sampleCalls({ library, node: NODE, size: SIZE, seed }),
  );
  t.equal(samples.length, SIZE);
  t.ok(samples.filter(({ failed }) => failed !== null).length > SIZE / 2, 'most of them failed');
  for (const { verb, fault, failed, said, broken } of samples) {
    const { role, call, error, nth } = fault;
    t.strictSame(broken, [], `${verb}, ${role}, ${call} ${nth}, ${error}: ${said} (${failed})`);
  }
});

function reasonToSkip() {
  if (process.env.NODECLUSTER_TEST_NODE)
    return 'runs on one Node: nothing in it depends on the version';
  if (process.platform !== 'linux') return 'the library is for Linux';
  try {
    execFileSync('gcc', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'gcc is not installed';
  }
}
