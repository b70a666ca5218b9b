/** Bytes of each file that Node's drivers memory-map, which is safe because open files stay available there. */
export const MAPPED_BYTES = 256 * 1024 * 1024
