/**
 * Why an app gets no spare, which would run twice what may run once, or could not be kept from serving: `silent`: it
 * listens on nothing; `udp`: it gets datagrams; `below`: another process or thread listens, or it listens by itself
 * (`reusePort`).
 */
export type SpareRefusal = 'silent' | 'udp' | 'below';

export interface Spares {
  /** Missing: as many spares as the app has run, or are being started. */
  refused?: SpareRefusal;
}
