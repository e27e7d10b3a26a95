import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { logPaths } from '../../../src/shared/log-files/log-paths.js';

const paths = homePaths('/home/me/.nodecluster');
const LOGS = '/home/me/.nodecluster/logs';
const plain = { name: 'api', mergeLogs: true, outFile: null, errorFile: null, logFile: null };

t.test('where the streams of worker 2 go', async (t) => {
  for (const [settings, out, error] of /** @type {[object, string[], string[]][]} */ ([
    [{}, [`${LOGS}/api-out.log`], [`${LOGS}/api-error.log`]],
    [{ mergeLogs: false }, [`${LOGS}/api-2-out.log`], [`${LOGS}/api-2-error.log`]],
    [{ outFile: '/l/o.log' }, ['/l/o.log'], [`${LOGS}/api-error.log`]],
    [{ outFile: '/l/o.log', mergeLogs: false }, ['/l/o-2.log'], [`${LOGS}/api-2-error.log`]],
    [{ logFile: '/l/all' }, ['/l/all'], ['/l/all']],
    [{ logFile: '/l/all', mergeLogs: false }, ['/l/all-2'], ['/l/all-2']],
    [{ logFile: '/l/all', errorFile: '/l/e' }, ['/l/all'], ['/l/e', '/l/all']],
    [{ outFile: '/l/x', errorFile: '/l/x' }, ['/l/x'], ['/l/x']],
    [{ outFile: '/l/x', logFile: '/l/x' }, ['/l/x'], ['/l/x']],
    [{ outFile: '/dev/null', mergeLogs: false }, [], [`${LOGS}/api-2-error.log`]],
    [{ logFile: '/dev/null' }, [], []],
  ])) {
    t.same(logPaths({ ...plain, ...settings }, paths, 2), { out, error }, JSON.stringify(settings));
  }
});
