/**
 * `node empty-logs.js <file>…`: empties the log files of an app that does not run, as the user of that app, who may have
 * put links in their place. stdout: why one could not be emptied, as JSON.
 */
import { emptyLogFiles } from '../../shared/log-files/rotated-files.js';

emptyLogFiles(process.argv.slice(2)).catch((error) => process.stdout.write(JSON.stringify(error)));
