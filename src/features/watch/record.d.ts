/** Its changes have caused so many reloads of the app that the next one waits; `ignored`: the patterns that would end that. */
export interface RepeatedChange {
  kind: 'repeated';
  app: string;
  file: string;
  times: number;
  pauseMs: number;
  ignored: string[];
}
