export interface CronSpec {
  cronRestart: string | null;
}
