/** `npm sbom` knows which packages were installed. The tarball contains the code of some of them, as part of its own files. */

/** @typedef {{name: string, version: string}} Package */

/**
 * @param {any} sbom of the project and of all packages that are installed to develop it: CycloneDX or SPDX
 * @param {Package[]} bundled
 * @returns {object} the same, of the project and these packages
 * @throws {Error} one of these is not in it
 */
export function bundledOnly(sbom, bundled) {
  const isBundled = (/** @type {string} */ name, /** @type {string} */ version) =>
    bundled.some((each) => each.name === name && each.version === version);
  const { kept, only } = sbom.bomFormat ? cyclonedx(sbom, isBundled) : spdx(sbom, isBundled);
  if (kept !== bundled.length) throw new Error(`${kept} of ${bundled.length} packages are known.`);
  return only;
}

/** @typedef {(name: string, version: string) => boolean} IsBundled */

/** @param {any} sbom @param {IsBundled} isBundled */
function cyclonedx(sbom, isBundled) {
  const components = sbom.components
    .filter((/** @type {any} */ { name, version }) => isBundled(name, version))
    // They say what a package is to the project, such as a tool.
    .map((/** @type {any} */ each) => ({ ...each, scope: 'required', properties: undefined }));
  const own = sbom.metadata.component['bom-ref'];
  const refs = new Set([own, ...components.map((/** @type {any} */ each) => each['bom-ref'])]);
  const dependencies = sbom.dependencies
    .filter((/** @type {any} */ { ref }) => refs.has(ref))
    .map((/** @type {any} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((/** @type {string} */ each) => refs.has(each)),
    }));
  return { kept: components.length, only: { ...sbom, components, dependencies } };
}

/** @param {any} sbom @param {IsBundled} isBundled */
function spdx(sbom, isBundled) {
  const others = sbom.packages.filter(
    (/** @type {any} */ { SPDXID, name, versionInfo }) =>
      !sbom.documentDescribes.includes(SPDXID) && !isBundled(name, versionInfo),
  );
  const removed = new Set(others.map((/** @type {any} */ { SPDXID }) => SPDXID));
  const packages = sbom.packages.filter((/** @type {any} */ { SPDXID }) => !removed.has(SPDXID));
  const relationships = sbom.relationships.filter(
    (/** @type {any} */ { spdxElementId, relatedSpdxElement }) =>
      !removed.has(spdxElementId) && !removed.has(relatedSpdxElement),
  );
  return { kept: packages.length - 1, only: { ...sbom, packages, relationships } };
}
