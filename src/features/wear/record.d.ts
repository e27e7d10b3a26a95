export interface WearSpec {
  maxMemoryRestartBytes: number | null;
  maxRequests: number | null;
  maxAgeMs: number | null;
}
