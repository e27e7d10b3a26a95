/** `nodecluster web` in the home of a test. */
/** @import { testHome } from '../../support/home.js' */

/**
 * @param {ReturnType<typeof testHome>} home
 * @param {{teardown: (fn: () => unknown) => void}} t a tap test
 * @param {string[]} args
 */
export async function startWeb(home, t, ...args) {
  const web = home.begin(['web', '--listen', '127.0.0.1:0', ...args]);
  t.teardown(() => web.child.kill('SIGKILL'));
  const [link = ''] = (await web.said(/http:\/\/\S+#token=\S+/)) ?? [];
  return { ...web, link, url: link.replace(/#.*/, '') };
}
