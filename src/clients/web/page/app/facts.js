/** What an app is: program, mode, ports, notes, and what else the daemon says about it. */
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';
import { extraFields } from './extra-fields.js';

/**
 * @import { Details } from '../../shapes.js'
 * @import { App, Worker } from '../state/model.js'
 */

/** @param {{app: App, workers: Worker[], details: Details | null}} props */
export function Facts({ app, workers, details }) {
  // While a canary is judged, the note says in words what the reload shows.
  const note = app.canary ? '' : app.note;
  return html`
    <${FactList} facts=${factsOf(app, workers, details)} />
    ${note && html`<p class="card pane note warn">${maskLine(note)}</p>`}
    ${extraFields(app).map(({ label, lines }) => html`<${Extra} label=${label} lines=${lines} />`)}
    ${workers.flatMap((worker) =>
      extraFields(worker).map(
        ({ label, lines }) =>
          html`<${Extra} label=${`${app.name}:${worker.slot} ${label}`} lines=${lines} />`,
      ),
    )}
  `;
}

/** @param {{facts: [label: string, value: unknown, tone?: string][]}} props without those that have no value */
export function FactList({ facts }) {
  return html`
    <dl class="facts">
      ${facts
        .filter(([, value]) => value)
        .map(
          ([label, value, tone = '']) =>
            html`<div>
              <dt>${label}</dt>
              <dd class=${tone}>${maskLine(value)}</dd>
            </div>`,
        )}
    </dl>
  `;
}

/** @param {{label: string, lines: string[]}} props */
function Extra({ label, lines }) {
  if (lines.length === 1) {
    return html`<p class="extra">
      <span class="dim">${maskLine(label)}</span> ${maskLine(lines[0])}
    </p>`;
  }
  return html`
    <section class="card pane">
      <h2>${maskLine(label)}</h2>
      <pre tabindex="0">${lines.map(maskLine).join('\n')}</pre>
    </section>
  `;
}

/** @param {App} app @param {Worker[]} workers @param {Details | null} details @returns {[string, unknown, string?][]} */
function factsOf(app, workers, details) {
  const addresses = workers.flatMap(({ listening = [] }) =>
    listening.map(({ address }) => address),
  );
  const described = details?.app;
  return [
    ['script', [app.script, ...(described?.spec?.args ?? [])].join(' ')],
    ['listens on', [...new Set(addresses)].join(', ')],
    ['mode', app.mode === 'cluster' ? `cluster, ${app.scheduling}` : app.mode],
    ['generation', app.generation],
    ['health', healthText(app.name, workers), 'bad'],
    ['node', described?.node],
    ['user', app.user],
    ['namespace', app.namespace === 'default' ? '' : app.namespace],
    ['cwd', described?.spec?.cwd],
    ['primary', app.primaryPid && `pid ${app.primaryPid}`],
  ];
}

/** @param {string} name @param {Worker[]} workers @returns {string} whose checks fail, and why */
function healthText(name, workers) {
  return workers
    .filter(({ health }) => health?.reason)
    .map(({ slot, health }) => `${name}:${slot}: ${health?.reason}`)
    .join(', ');
}
