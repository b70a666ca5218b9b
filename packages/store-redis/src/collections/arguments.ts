import { idLanes, type ObjectId } from '@godwit/protocol'
import { attributesText, type ObjectChange, patchText } from '@godwit/store/history'

/** The part of an object's hashes that its id makes. */
export function lanesOf(id: ObjectId): string {
  const { high, low } = idLanes(id)
  return `${high} ${low}`
}

/** Seven arguments for one object, as the scripts take changes. */
export function argumentsOfChange(id: ObjectId, { without, replace, merge, remove }: ObjectChange): readonly string[] {
  const { high, low } = idLanes(id)
  return [
    ...[id, `${high}`, `${low}`],
    without && without.length > 0 ? namesText(without) : '',
    replace ? attributesText(replace) : '',
    merge ? patchText(merge) : '',
    remove ? '1' : '',
  ]
}

/** As an object, whose names a script reads like those of any other. */
const namesText = (names: readonly string[]) =>
  `{${[...new Set(names)].map(name => `${JSON.stringify(name)}:0`).join(',')}}`
