/** What the page of an app says in words and figures. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { App } from '../../../protocol/shapes.js'
 * @import { Section } from '../../../show/features.js'
 */

/** @param {{app: App, details: Details | null}} props */
export function Facts({ app, details }) {
  const { note } = app;
  return html`
    <${FactList} facts=${factsOf(app, details)} />
    ${note && html`<p class="card pane note warn">${escapeLine(note)}</p>`}
  `;
}

/** @param {{facts: [label: string, value: unknown, tone?: string][]}} props without those that have no value */
function FactList({ facts }) {
  return html`
    <dl class="facts">
      ${facts
        .filter(([, value]) => value)
        .map(
          ([label, value, tone = '']) =>
            html`<div>
              <dt>${label}</dt>
              <dd class=${tone}>${escapeLine(value)}</dd>
            </div>`,
        )}
    </dl>
  `;
}

/** @param {App} app @param {Details | null} details @returns {[string, unknown, string?][]} */
function factsOf(app, details) {
  const addresses = app.workers.flatMap(({ listening }) => listening.map(({ address }) => address));
  const described = details?.app;
  return [
    ['script', [app.script, ...(described?.spec?.args ?? [])].join(' ')],
    ['listens on', [...new Set(addresses)].join(', ')],
    ['mode', app.mode === 'cluster' ? `cluster, ${app.scheduling}` : app.mode],
    ['generation', app.generation],
    ['health', healthText(app), 'bad'],
    ['node', described?.node],
    ['user', app.user],
    ['namespace', app.namespace === 'default' ? '' : app.namespace],
    ['cwd', described?.spec?.cwd],
    ['primary', app.primaryPid && `pid ${app.primaryPid}`],
  ];
}

/** @param {App} app @returns {string} whose checks fail, and why */
function healthText({ name, workers }) {
  return workers
    .filter(({ health }) => health?.reason)
    .map(({ slot, health }) => `${name}:${slot}: ${health?.reason}`)
    .join(', ');
}

/**
 * What a feature says of the app.
 * @param {{section: Section}} props
 */
export function FeatureSection({ section: { title, load, facts } }) {
  return html`
    <section class="card pane" aria-label=${title}>
      <h2>${title}</h2>
      ${
        load &&
        html`<div class="load">
          <progress aria-label=${load.label} max="1" value=${Math.min(1, load.share)}></progress>
          <i style=${{ left: `${load.target * 100}%` }} title=${load.text}></i>
        </div>`
      }
      <${FactList} facts=${facts} />
    </section>
  `;
}
