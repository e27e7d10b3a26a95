import type { Problem } from '../../errors/codes/config.js';

export type Path = (string | number)[];
export type Position = { line: number; column: number };

/** Where values come from, and where their problems go. */
export interface ConfigSource {
  locate(path: Path, part?: 'key' | 'value'): Position | null;
  /** The text in the file, if it is not quoted: 1.10, 007. */
  written(path: Path): string | null;
  /** How messages name the key. */
  keyName(path: Path): string;
  /** Grows as values are rejected. */
  problems: Problem[];
}

export type ParsedText = { value: unknown } & Pick<ConfigSource, 'locate' | 'written'>;

export type ConfigDocument = ParsedText & {
  /** How messages name the document. */
  label: string;
  /** Absolute path; null for standard input. */
  file: string | null;
  /** What relative paths start from. */
  directory: string;
};
