/** Why a figure cannot be measured here, such as a tool that is not installed. It is named, and the run continues. */
export class Gap extends Error {}
