/**
 * The packages of bench/package.json that are imported. They have no types here, so that `tsc` gives
 * the same result whether they are installed or not.
 */
declare module 'express';
