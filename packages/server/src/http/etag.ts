/** Whether an `If-None-Match` names the entity tag; a weak tag and a strong one of the same text are the same to it. */
export const matchesEtag = (list: string | undefined, tag: string): boolean =>
  (list ?? '').split(',').some(one => one.trim() === '*' || opaqueTag(one) === opaqueTag(tag))

const opaqueTag = (tag: string): string => tag.trim().replace(/^W\//, '')
