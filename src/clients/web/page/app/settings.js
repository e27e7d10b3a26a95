/** The settings of an app and its environment, each with its source. */
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';

/** @import { Details } from '../../shapes.js' */

/** @param {{details: Details}} props */
export function Settings({ details }) {
  const { settings, environment } = details;
  const changed = settings.filter(({ source }) => source !== 'default');
  const defaults = settings.filter(({ source }) => source === 'default');
  const variables = Object.entries(environment).map(([key, { value, from }]) => ({
    key,
    value,
    source: from,
  }));
  return html`
    <section class="card pane" aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      ${
        changed.length > 0
          ? html`<${Rows} rows=${changed} label="Settings" />`
          : html`<p class="dim">Every setting has its default.</p>`
      }
      <details>
        <summary>${defaults.length} defaults</summary>
        <${Rows} rows=${defaults} label="Defaults" />
      </details>
      ${
        variables.length > 0 &&
        html`<details>
          <summary>${variables.length} variables of the environment</summary>
          <${Rows} rows=${variables} label="Environment" />
        </details>`
      }
    </section>
  `;
}

/** @param {{rows: {key: string, value: string, source: string}[], label: string}} props */
function Rows({ rows, label }) {
  return html`
    <table class="plain settings" aria-label=${label}>
      <thead>
        <tr>
          <th scope="col">name</th>
          <th scope="col">value</th>
          <th scope="col">source</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, value, source }) =>
            html`<tr>
              <td class="mono">${maskLine(key)}</td>
              <td class="mono value">${maskLine(value)}</td>
              <td class="dim">${maskLine(source)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  `;
}
