'use strict';

/** Linux adds it to the path of a running program whose file was replaced or removed. */
const MARK = ' (deleted)';

/** So that the program can start others on Node by its path, which an upgrade has given to the next version. */
module.exports = function nameNode() {
  if (!process.execPath.endsWith(MARK)) return;
  process.execPath = process.execPath.slice(0, -MARK.length);
  process.argv[0] = process.execPath;
};
