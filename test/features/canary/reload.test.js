/** The options of `reload` that judge a canary. */
import t from 'tap';
import { commandWith, outcome } from '../../cli/fake-context.js';

const reloadWith = async (options) => {
  const daemon = { reload: () => ({ apps: [outcome({ action: 'reload' })] }) };
  const { asked, run } = await commandWith(`reload api ${options}`, { daemon });
  await run();
  return asked.find(({ method }) => method === 'reload').params;
};

t.test('what is sent', async (t) => {
  const defaults = { instances: 1, forMs: 120_000, max5xx: 0.01, maxP99: 2 };
  t.same((await reloadWith('--canary 1')).canary, defaults);
  const all = '--canary 2 --for 1m30s --max-5xx 0.5% --max-p99 1.5x';
  const canary = { instances: 2, forMs: 90_000, max5xx: 0.005, maxP99: 1.5 };
  t.same((await reloadWith(all)).canary, canary);
  t.notOk('canary' in (await reloadWith('--parallel 2')));
});

for (const [options, words] of [
  ['--for 2m', /--max-p99 .* need --canary/],
  ['--canary 0', /from 1 up/],
  ['--canary 1 --for 0', /duration such as 30s/],
  ['--canary 1 --for 2d', /at most a day/],
  ['--canary 1 --max-5xx 1', /percentage such as 0.5%/],
  ['--canary 1 --max-p99 0.5', /factor from 1 up/],
]) {
  t.test(options, async (t) => {
    await t.rejects(reloadWith(options), { message: words });
  });
}
