/** A hint names a file that exists, wherever nodecluster is installed. @param {string} path relative to the package */
export function packageFile(path) {
  return decodeURIComponent(new URL(`../../${path}`, import.meta.url).pathname);
}
