/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import { boolean, list, map, nullable, object, oneOf, string, stringOf } from '../shared/checks.js';

const variableName = stringOf({ pattern: /^[^=\0]+$/ });

const variableValue = stringOf({ maxLength: 4194304, pattern: /^[^\0]*$/ });

export const valuesWithoutOption = object({
  shellEnv: map(variableName, variableValue),
  onDemand: boolean,
  configFile: nullable(string),
  resolvedFrom: nullable(
    object({
      script: string,
      args: list(string),
      cwd: string,
      nodeArgs: list(string),
      env: map(variableName, variableValue),
      binDirectories: list(string),
      lines: list(string),
    }),
  ),
  modeReason: nullable(string),
  given: map(string, oneOf('file', 'flag', 'scaled')),
});
