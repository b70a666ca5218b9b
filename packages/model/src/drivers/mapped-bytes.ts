/** Bytes of each file that Node's drivers memory-map. On these platforms open files stay available. */
export const MAPPED_BYTES = 256 * 1024 * 1024
