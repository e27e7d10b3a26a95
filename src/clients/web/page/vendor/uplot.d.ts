/** The types of uplot.js. */
export { default } from 'uplot';
