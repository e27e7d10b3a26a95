/**
 * @param {string} path relative to the package
 * @returns {string} absolute, so that a hint names a file that exists, wherever nodecluster is installed
 */
export function packageFile(path) {
  return decodeURIComponent(new URL(`../../${path}`, import.meta.url).pathname);
}
