/** The names under which the daemon holds the sockets of slots: `<slot>/<host>:<port>`. */

const NAME = /^(\d+)\/(.*)$/;

/** @param {number} slot @param {string} address @returns {string} */
export function slotSocketName(slot, address) {
  return `${slot}/${address}`;
}

/** @param {string} name of any held socket @returns {{slot: number | null, address: string}} */
export function parseSocketName(name) {
  const [, slot, address] = NAME.exec(name) ?? [];
  return slot === undefined ? { slot: null, address: name } : { slot: Number(slot), address };
}
