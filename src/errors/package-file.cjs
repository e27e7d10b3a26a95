/**
 * @param {string} path relative to the package
 * @returns {string} absolute, so that a hint names a file that exists, wherever nodecluster is installed
 */
function packageFile(path) {
  return `${__dirname.slice(0, -'src/errors'.length)}${path}`;
}

module.exports = { packageFile };
