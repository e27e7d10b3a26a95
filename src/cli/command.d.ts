/** What a command is: its file exports this, and src/cli/commands.js has a row for it. */
import type { Pm2Name } from '../config/options/option.js';
import type { Context } from './context.js';

export interface CommandModule {
  command: CommandData;
  run: Run;
}

/** Resolves to the exit code. */
export type Run = (context: Context) => Promise<number>;

export interface CommandData {
  /** One line for the list of commands. */
  summary: string;
  /** For the command's own help. */
  details?: string;
  arguments: CommandArgument[];
  options: CommandOption[];
  examples: string[];
}

export interface CommandArgument {
  /** In brackets: `<required>`, `[optional...]`. */
  name: string;
  summary: string;
}

export interface CommandOption {
  /** As in the help: `-i, --instances <n>`. */
  flags: string;
  summary: string;
  /** It can be given several times, and its values form a list. */
  repeatable?: boolean;
  /** All possible values, for shell completion. */
  values?: readonly string[];
  /** Throws an Error that says what it expects. */
  parse?: (text: string) => unknown;
  /** In the help; without it `Options:`. */
  heading?: string;
  /** Only `--help --all` shows it. */
  isRare?: boolean;
  /** In place of the summary, except with `--help --all`. */
  brief?: string;
  /** Flags of PM2 in its place; their keys do not matter here. */
  pm2?: Pm2Name[];
}

export interface CommandRow {
  name: string;
  aliases: string[];
  /** In the main help. */
  heading: string;
  load: () => Promise<CommandModule>;
}
