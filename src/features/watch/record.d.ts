export interface WatchSpec {
  /** All of cwd, or absolute paths. */
  watch: boolean | string[];
  ignoreWatch: string[];
  watchDelayMs: number;
}
