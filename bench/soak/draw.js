/** Memory and descriptors of a soak over time, as SVG. */
import { WIDTH, drawing, line, round, text } from '../svg.js';

/** @import { Sample, Size } from './samples.js' */

const HEIGHT = 520;
const PANEL_HEIGHT = 170;
const [LEFT, RIGHT] = [50, WIDTH - 20];
const COLOURS = { daemon: '#8250df', primary: '#2f81f7' };

/** @type {{title: string, top: number, of: (size: Size) => number}[]} */
const PANELS = [
  { title: 'Private memory, MB', top: 70, of: ({ privateMb }) => privateMb },
  { title: 'Descriptors', top: 310, of: ({ descriptors }) => descriptors },
];

/** @param {string} title @param {Sample[]} samples */
export function drawSamples(title, samples) {
  const names = /** @type {('daemon' | 'primary')[]} */ (Object.keys(COLOURS));
  const lasted = samples[samples.length - 1].atS;
  const parts = PANELS.flatMap(({ title: what, top, of }) => {
    const bottom = top + PANEL_HEIGHT;
    const most = Math.max(...samples.flatMap((sample) => names.map((name) => of(sample[name]))));
    const pointOf = (/** @type {number} */ atS, /** @type {number} */ value) =>
      `${round(LEFT + (atS / lasted) * (RIGHT - LEFT))},${round(bottom - (value / most) * PANEL_HEIGHT)}`;
    const lines = names.map((name) => {
      const points = samples.map((sample) => pointOf(sample.atS, of(sample[name]))).join(' ');
      return `<polyline points="${points}" fill="none" stroke="${COLOURS[name]}" stroke-width="1.5"/>`;
    });
    return [
      ...[text(8, top - 16, what), text(LEFT - 6, top + 8, String(most), 'end')],
      ...[text(LEFT - 6, bottom, '0', 'end'), line([LEFT, top], [LEFT, bottom], 'class="axis"')],
      line([LEFT, bottom], [RIGHT, bottom], 'class="axis"'),
      text(RIGHT, bottom + 18, `${Math.round(lasted / 60)} minutes`, 'end'),
      ...lines,
    ];
  });
  const legend = names.flatMap((name, at) => [
    line([RIGHT - 90, 18 + 16 * at], [RIGHT - 65, 18 + 16 * at], `stroke="${COLOURS[name]}"`),
    text(RIGHT, 22 + 16 * at, name, 'end'),
  ]);
  return drawing(title, HEIGHT, [...parts, ...legend]);
}
