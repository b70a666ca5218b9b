/** Bytes of each file that the drivers of Node map into memory. On their platforms an open file is not taken away. */
export const MAPPED_BYTES = 256 * 1024 * 1024
