export interface VariableSource {
  /** Its contents are the value of `as`. */
  file: string | null;
  /** Each of its files is a variable. */
  directory: string | null;
  /** What it prints is the value of `as`, or lines of `NAME=value`. */
  command: string[] | null;
  /** The name of a variable. */
  as: string | null;
  timeoutMs: number;
}
