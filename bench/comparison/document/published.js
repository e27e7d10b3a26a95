/** The ratios of the articles beside ours. */
import { ratioOf } from '../statistics.js';
import { of } from './tables.js';

/** @import { Block } from './tables.js' */

/** @param {Block} block @returns {{heads: string[], rows: string[][]} | null} null: the case has none */
export function publishedOf({ measured, rows }) {
  const { published, candidates, figures } = measured;
  if (published === undefined) return null;
  const [base, ...others] = candidates;
  const heads = ['what', 'figure', 'published: single', 'cluster', 'ratio', ...others];
  return {
    heads,
    rows: published.map(({ variant, figure, single, cluster }) => {
      const baseRows = of(rows, variant, base);
      const title = figures.find(({ key }) => key === figure)?.title ?? figure;
      const ours = others.map((name) => {
        const ratio = ratioOf(of(rows, variant, name), baseRows, figure);
        return ratio === null ? '' : ratio.median.toFixed(2);
      });
      const texts = [single, cluster].map((value) => value.toLocaleString('en'));
      return [variant, title, ...texts, (cluster / single).toFixed(2), ...ours];
    }),
  };
}
