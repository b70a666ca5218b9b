export type Item = Record<string, string>

/** The i-th object: an id and six string attributes of about 20 bytes, 244 bytes of JSON. `edition` changes every value. */
export function item(index: number, edition = 0): { readonly id: string; readonly attributes: Item } {
  const id = `item-${String(index).padStart(9, '0')}`
  const attributes: Item = {}
  for (let name = 0; name < 6; name++)
    attributes[`attribute_${name}`] = `value ${name} ${edition} ${String(index).padStart(10, '0')}`
  return { id, attributes }
}

/** `count` objects from `first`, as an object map. */
export function items(first: number, count: number, edition = 0): Record<string, Item> {
  const map: Record<string, Item> = {}
  for (let index = first; index < first + count; index++) {
    const { id, attributes } = item(index, edition)
    map[id] = attributes
  }
  return map
}
