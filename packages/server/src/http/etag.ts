/** True if an `If-None-Match` list contains the entity tag, by weak comparison. */
export const matchesEtag = (list: string | undefined, tag: string): boolean =>
  (list ?? '').split(',').some(one => one.trim() === '*' || opaqueTag(one) === opaqueTag(tag))

const opaqueTag = (tag: string): string => tag.trim().replace(/^W\//, '')
