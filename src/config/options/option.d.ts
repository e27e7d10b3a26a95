import type { ValueType } from '../types/values.js';

/** What a change takes: a message to the primary, other numbers, a rolling replacement, or a new primary (downtime). */
export type Needs = 'configure' | 'scale' | 'reload' | 'restart';

export interface Flag {
  /** `-i` */
  short?: string;
  /** Needed if it is not the key with dashes. */
  long?: string;
  /** Name of the argument; without it, a switch: `--no-…` if the option is on by default. */
  takes?: string;
  repeatable?: true;
  /** Replaces a description that does not fit a flag; includes the default. */
  help?: string;
  /** For the short help, which shows only the flags that have one. */
  brief?: string;
}

/** Keys and flags that only PM2 has. A flag of an option with neither note nor advice sets that option. */
export interface Pm2Name {
  /** Of a file, in snake_case. */
  keys?: string[];
  /** As in PM2's help. */
  flags?: string;
  /** What the flag sets; by default its argument, or true. */
  value?: unknown;
  /** The commands that have the flag; by default those of the option, or all. */
  on?: readonly string[];
  /** What the flag stands for: an option, in camelCase, or words. */
  means?: string;
  words?: readonly string[];
  /** Why it has no effect. */
  note?: string;
  /** What to use instead, without a full stop. */
  advice?: string;
  /** With `--env` it is an error: without it another app would be changed. */
  isNeededByEnv?: true;
}

export interface Option {
  /** As in a file; `killTimeout` and `kill-timeout` mean the same. */
  key: string;
  /** Its key in a Spec; null if it only contributes to another one. */
  spec: string | null;
  /** Heading in the documentation. */
  group: string;
  type: ValueType;
  /** As a file would have it; null for none. */
  default: unknown;
  /** Needed if the default is computed. */
  defaultText?: string;
  needs: Needs;
  /** It is of a program that serves: an app that runs on demand has no such setting. */
  isOfService?: true;
  /** Why it has no effect in fork mode, as the end of that sentence. */
  inForkMode?: string;
  /** In fork mode it is refused, unless it is 0. */
  isOfCluster?: true;
  /** Its value once the working directory of the app is known. */
  inDirectory?: (value: any, cwd: string) => unknown;
  description: string;
  /** Keys that PM2 has for this option. */
  aliases?: string[];
  /** What else PM2 has for it. */
  pm2?: Pm2Name[];
  /** Without it, `start` has no flag for the option. */
  flag?: Flag;
}

/** By default, `spec` is the key in camelCase with its unit, a change needs what its group does, and a duration has a flag. */
export type GroupOption = Partial<Option> & Omit<Option, 'group' | 'spec' | 'default' | 'needs'>;
