/** What pages of the documentation have for readers to copy. */
import { readFileSync } from 'node:fs';

/** @param {string} page `guides/probes.md` @param {string} language @returns {string} its first block in that */
export function blockOf(page, language) {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const [, block] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  if (block === undefined) throw new Error(`${page} has no ${language}`);
  return block;
}
