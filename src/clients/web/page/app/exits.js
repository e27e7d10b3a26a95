/** The last exits of an app's workers that no command caused, with the end of their stderr. */
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';
import { exitText, exitsTitle } from '../../../../show/exits.js';

/**
 * @import { SlotState } from '../../../../protocol/shapes.js'
 * @import { Details } from '../../shapes.js'
 */

/** @param {{details: Details, now: number}} props */
export function Exits({ details, now }) {
  const { name, slots = [] } = details.app;
  const crashed = slots
    .filter(({ lastExit }) => lastExit)
    .sort((one, other) => (other.lastExit?.at ?? 0) - (one.lastExit?.at ?? 0));
  if (crashed.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="exits-title">
      <h2 id="exits-title">${exitsTitle(details.app)}</h2>
      ${crashed.map((slot) => html`<${Exit} key=${slot.slot} name=${name} slot=${slot} now=${now} />`)}
    </section>
  `;
}

/** @param {{name: string, slot: SlotState, now: number}} props */
function Exit({ name, slot, now }) {
  const { lastExit, earlierExits = [] } = slot;
  if (lastExit === null) return null;
  const lines = lastExit.lastLines ?? [];
  return html`
    <article class="exit">
      <h3><span class="mono">${maskLine(name)}:${slot.slot}</span> ${exitText(lastExit, now)}</h3>
      ${lines.length > 0 && html`<pre tabindex="0">${lines.map(maskLine).join('\n')}</pre>`}
      ${earlierExits.map((exit) => html`<p class="dim">before that: ${exitText(exit, now)}</p>`)}
    </article>
  `;
}
