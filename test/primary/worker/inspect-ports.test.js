import t from 'tap';
import { InspectPorts } from '../../../src/primary/pool/launch.js';

const rows = [
  [['--inspect'], 9230],
  [['--inspect=9300'], 9301],
  [['--inspect-brk=0.0.0.0:9300'], 9301],
  [['--inspect', '--inspect-port=9400'], 9401],
  [['--inspect=0'], undefined],
  [['--inspect-publish-uid=http', '--max-old-space-size=300'], undefined],
  [[], undefined],
];
for (const [args, port] of rows) {
  t.test(`slot 1 with ${args.join(' ') || 'nothing'}`, async (t) => {
    t.equal(new InspectPorts().take(args, 1, 4), port);
  });
}

t.test(
  'a replacement has another port while the old worker runs; the next one has the first',
  async (t) => {
    const ports = new InspectPorts();
    const take = (slot) => ports.take(['--inspect=9300'], slot, 2);
    t.same([take(0), take(1)], [9300, 9301]);
    t.equal(take(0), 9302);
    ports.free(9300);
    t.equal(take(0), 9300);
  },
);
