/** What a case of the comparison is, and what is saved of it. */

/** A file in bench/cases, its default export. The name of the file is the name of the case. */
export interface Case {
  title: string;
  /** Names from candidates.js. The first one is what ratios relate to. */
  candidates: string[];
  figures: Figure[];
  /** The key of the figure that a picture shows: its ratio if it is one, otherwise the figure itself. */
  drawn?: string;
  /** How often each candidate is measured, unless --rounds says otherwise. */
  rounds: number;
  /** About how long one candidate takes in one round, start and stop included. */
  seconds: number;
  /** One measurement of one candidate: a row for each variant. Throws `Gap` if it cannot be taken. */
  measure(conditions: Conditions): Promise<Measured[]>;
}

export interface Figure {
  key: string;
  title: string;
  better: 'more' | 'less';
  digits?: number;
  /** Shown as a ratio to the first candidate, with its quartiles. */
  isRatio?: boolean;
}

export interface Conditions {
  candidate: Candidate;
  /** The binary that runs the candidate and its program. */
  node: string;
  /** How long each load lasts where the case does not send a fixed number of requests. */
  seconds: number;
  round: number;
}

export interface Measured {
  variant: string;
  figures: Record<string, number>;
}

/** What runs the program. */
export interface Candidate {
  name: string;
  /** Options of the apps that differ from their defaults, in a case with several apps. */
  settings?: Record<string, unknown>;
  /** Starts the program and returns when it is said to serve, or throws `Gap`. */
  start(program: Program): Promise<void>;
  /** Ends it as its user would. What is left then is killed. */
  stop(program: Program): Promise<void>;
  /** Runs one of its commands and returns its stdout. */
  run?(program: Program, args: string[]): Promise<string>;
  /** Replaces the workers, under load. */
  reload?(program: Program): Promise<unknown>;
  /** The file that runs, if it is not the program's own. */
  released?(program: Program): string;
}

export interface Program {
  script: string;
  workers: number;
  port: number;
  /** Complete; PORT is in it. */
  env: Record<string, string>;
  /** A directory of its own, in the environment of every process that belongs to the candidate. */
  root: string;
  node: string;
}

/** One row of the results file. Either figures or a gap: why there are none. */
export interface Row {
  case: string;
  node: string;
  candidate: string;
  round: number;
  variant?: string;
  figures?: Record<string, number>;
  /** When it was measured: 2026-11-27. */
  date?: string;
  gap?: string;
}

export interface Environment {
  date: string;
  cores: number;
  processor: string;
  system: string;
  versions: Record<string, string>;
}
