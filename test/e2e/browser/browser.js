/** A real browser for the tests of the page: Chromium, where it is installed. */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome'];

/** The path of the browser; null: there is none. */
const CHROMIUM = process.env.NODECLUSTER_TEST_CHROMIUM || NAMES.map(which).find(Boolean) || null;

/** For tap: why a test is skipped; false: it is not. */
export const skip = CHROMIUM === null && 'Chromium is not installed';

/** @param {{teardown: (fn: () => unknown) => void}} t a tap test */
export async function openBrowser(t) {
  const browser = await chromium.launch({
    executablePath: String(CHROMIUM),
    // The sandbox of Chromium does not work for root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  t.teardown(() => browser.close());
  return browser;
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<{page: import('playwright-core').Page, problems: string[]}>} problems: what the
 *   console and the Content-Security-Policy complain about
 */
export async function openPage(browser, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // What the server refuses while it is stopped is not a fault of the page.
    const text = message.text();
    if (message.type() === 'error' && !/Failed to load resource/.test(text)) problems.push(text);
  });
  return { page, problems };
}

/** @param {string} name */
function which(name) {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
