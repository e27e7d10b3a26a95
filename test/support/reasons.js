/** Why a worker is not online, as its record has it. */

export const exited = (code) => ({ reason: `exited with code ${code}`, ending: { code } });

/** @param more address, or port; holder: its name */
export function inUse({ port = 3000, holder: name, isApp = false, ...more }) {
  const fault = { code: 'EADDRINUSE', port, holder: { name, isApp }, ...more };
  const reason = `could not listen on port ${port}: in use by ${name}`;
  return { reason, ending: { code: 1, fault }, fault };
}
