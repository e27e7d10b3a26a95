/** @param {string} code of a system error @returns {(error: NodeJS.ErrnoException) => null} */
export function ignoreError(code) {
  return (error) => {
    if (error.code !== code) throw error;
    return null;
  };
}
