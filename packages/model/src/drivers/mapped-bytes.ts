/** What the drivers of Node map of each file: there nobody takes away a file that is open. */
export const MAPPED_BYTES = 256 * 1024 * 1024
