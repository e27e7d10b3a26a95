/** Variables of a shell: which belong to the session, and which a user has set. */

/** Of a login, a terminal, a shell or a tool, not of a program. */
export const OF_SESSION =
  /^(_|PATH|PWD|OLDPWD|HOME|USER|LOGNAME|SHELL|SHLVL|COLUMNS|LINES|PS[0-4]|R?PROMPT|PROMPT_COMMAND|TERM|COLORTERM|LANG|LANGUAGE|LS_COLORS|MAIL|HOSTNAME|DISPLAY|EDITOR|VISUAL|PAGER|STY|WINDOWID|INIT_CWD|INVOCATION_ID|JOURNAL_STREAM|MANAGERPID|(LC|LESS|SSH|XDG|DBUS|SUDO|TMUX|VSCODE|GPG|NVM|SYSTEMD|WSL|TERM|npm)_?.*)$/;

/**
 * Names of those that differ or are in one of them only, without those of the session.
 * @param {Record<string, string | undefined>} before
 * @param {Record<string, string | undefined>} after
 */
export function changedVariables(before, after) {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const own = names.filter((name) => !OF_SESSION.test(name) && !name.startsWith('NODECLUSTER_'));
  return own.filter((name) => before[name] !== after[name]);
}
