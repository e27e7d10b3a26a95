/** The licences of the packages whose code is in the published files. */
import fs from 'node:fs';
import path from 'node:path';

/** For a package that only names its licence. */
const TEXTS = new URL('licences/', import.meta.url);

/**
 * @param {string} root of the project
 * @param {string[]} files paths that were bundled, relative to it
 * @returns {string} Markdown
 * @throws {Error} the licence of a package is not known
 */
export function licencesOf(root, files) {
  const places = files.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  const sections = [...new Set(places)].map((place) => sectionOf(path.join(root, place)));
  const intro = 'The files of nodecluster contain these packages.';
  return `# Third-party licences\n\n${[intro, ...[...new Set(sections)].sort()].join('\n\n')}\n`;
}

/** @param {string} place of a package */
function sectionOf(place) {
  const manifest = JSON.parse(fs.readFileSync(path.join(place, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  const file = fs.readdirSync(place).find((each) => /^licen[cs]e/i.test(each));
  const from = file ? path.join(place, file) : new URL(`${license}.txt`, TEXTS);
  const text = fs.readFileSync(from, 'utf8').trim();
  return `## ${name} ${version} (${license})\n\n\`\`\`text\n${text}\n\`\`\``;
}
