import t from 'tap';
import { autoscaling as feature } from '../../../src/features/autoscaling/show.js';
import { appState } from '../../../src/show/state.js';

const scaling = (more) => ({
  min: 2,
  max: 8,
  elu: 0.8,
  utilisation: 0.613,
  ...more,
});
const app = (count, more) => ({
  name: 'api',
  status: 'online',
  instances: count,
  workers: Array.from({ length: count }, () => ({ status: 'online' })),
  autoscaling: scaling(more),
});
const lastChange = { at: 0, from: 2, to: 3, reason: 'event loops were 91% busy' };

t.test('what an app that scales itself does, and why', async (t) => {
  t.equal(feature.range(app(3)), '2–8');
  t.equal(feature.range({ ...app(3), autoscaling: undefined }), '');
  t.equal(appState(app(3), 0), '3/2–8 online');
  t.equal(appState(app(1, { min: 1 }), 0), 'online, 1/1–8');
  t.equal(feature.news(app(3), 0), null);
  const news = '2 → 3 workers 12s ago: event loops were 91% busy';
  t.equal(feature.news(app(3, { lastChange }), 12_300), news);
  const held = '99M of memory are left';
  t.equal(feature.news(app(3, { lastChange, held }), 12_300), `${news}; not scaled now: ${held}`);
  const { load, facts } = feature.section(app(3, { lastChange }), 12_300);
  t.match(load, { share: 0.613, target: 0.8, text: '61% busy, target 80%' });
  t.same(facts.slice(0, 3), [
    ['workers', '3 of 2–8'],
    ['event loops', '61% busy, target 80%'],
    ['last change', news],
  ]);
  const { load: unknown } = feature.section(app(3, { utilisation: undefined }), 0);
  t.match(unknown, { share: 0, text: 'not measured yet, target 80%' });
  t.equal(feature.section({ ...app(3), autoscaling: undefined }, 0), null);
});
