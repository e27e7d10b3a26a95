/** The same interface for `require('nodecluster')`, which gives an ES module. */
import type * as api from './types.js' with { 'resolution-mode': 'import' };

export type * from './types.js' with { 'resolution-mode': 'import' };
export declare const connect: typeof api.connect;
export declare const reasonText: typeof api.reasonText;
export declare const NodeclusterError: typeof api.NodeclusterError;
export type NodeclusterError = api.NodeclusterError;
