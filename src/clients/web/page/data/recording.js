/** A page that `nodecluster web --record` wrote has its data in itself. */

/** @import { Recording } from '../../shapes.js' */

/** @returns {Recording | null} null: this page comes from a server */
export function readRecording() {
  const element = document.getElementById('recording');
  return element === null ? null : JSON.parse(element.textContent ?? '');
}
