import t from 'tap';
import { utilisationsBetween } from '../../../src/features/autoscaling/daemon.js';

t.test('the utilisation of event loops between two reports', async (t) => {
  const times = (pid, activeMs, idleMs) => ({ pid, activeMs, idleMs });
  for (const [before, after, utilisations, name] of [
    [[], [], [], 'no worker'],
    [[], [times(1, 5, 5)], [], 'the first report'],
    [[times(1, 100, 900)], [times(1, 1600, 1400)], [0.75], 'one worker'],
    [[times(1, 0, 0), times(2, 0, 0)], [times(2, 5, 5), times(1, 10, 0)], [0.5, 1], 'two'],
    [[times(1, 0, 0), times(2, 5, 5)], [times(1, 1, 1), times(2, 5, 5)], [0.5], 'one is blocked'],
    [[times(1, 0, 0)], [times(1, 1, 1), times(2, 5, 5)], [], 'one is new'],
    [[times(1, 0, 0), times(2, 0, 0)], [times(1, 1, 3)], [0.25], 'one has exited'],
    [[times(1, 50, 50)], [times(1, 10, 200)], [0], 'a forged report'],
  ]) {
    t.same(utilisationsBetween(before, after), utilisations, name);
  }
});
