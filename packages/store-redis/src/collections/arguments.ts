import { idLanes, type ObjectId } from '@godwit/protocol'
import { attributesText, type ObjectChange, patchText } from '@godwit/store/history'

/** An object's two lanes of the id hash, as one script argument. */
export function lanesOf(id: ObjectId): string {
  const { high, low } = idLanes(id)
  return `${high} ${low}`
}

/** The seven script arguments for the change of one object. */
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

/** Attribute names as the keys of a JSON object, which a script reads like any other object. */
const namesText = (names: readonly string[]) =>
  `{${[...new Set(names)].map(name => `${JSON.stringify(name)}:0`).join(',')}}`
