/** What axe finds in a page that was opened with `bypassCSP`. */
import { createRequire } from 'node:module';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** @param {import('playwright-core').Page} page */
export async function loadAxe(page) {
  await page.addScriptTag({ path: AXE });
}

/** @param {import('playwright-core').Page} page @returns {Promise<string[]>} serious and critical ones */
export async function faultsOf(page) {
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
}
