/** Whether this commit may be released. The first heading of CHANGELOG.md says what comes next, or what is released. */

/** `## 1.0.0 (unreleased)`, or `## 1.0.0 (2027-01-31)`. */
const HEADING = /^(\d+\.\d+\.\d+) \((unreleased|\d{4}-\d\d-\d\d)\)$/;

/**
 * @param {object} of
 * @param {{version: string, '//'?: string}} of.manifest package.json
 * @param {string} of.changelog
 * @param {Record<string, string>} of.pages by path, those that say how to install it
 * @param {string} [of.tag] that names the release
 * @returns {string[]} why not
 */
export function versionFaults({ manifest, changelog, pages, tag }) {
  const { version } = manifest;
  const [, heading = ''] = /^## (.*)$/m.exec(changelog) ?? [];
  const [, next, when] = HEADING.exec(heading) ?? [];
  if (!next) return [`The first heading of CHANGELOG.md is not "<version> (<date>)": ${heading}`];
  if (when === 'unreleased') {
    return [
      `Nothing is to be released: CHANGELOG.md begins with "${heading}", and package.json says ${version}.`,
      `For the release, both say ${next}, and CHANGELOG.md the date in place of "unreleased".`,
    ];
  }
  const early = Object.keys(pages).find((path) => pages[path].includes('not on npm yet'));
  const faults = {
    [`CHANGELOG.md says ${next}, and package.json ${version}.`]: next !== version,
    [`The tag is ${tag}, and package.json says ${version}.`]: tag && tag !== `v${version}`,
    [`${early} still says "not on npm yet".`]: early,
    [`package.json says of itself: ${manifest['//']}`]: '//' in manifest,
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}
