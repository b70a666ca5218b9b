/**
 * The checksum of a collection: Σ hash64(id, version) over its live objects mod 2^64, in 16 hexadecimal digits. Adding and removing commute, so
 * server and device update it incrementally; hash64 mixes two 32-bit lanes (high lane first) over the UTF-16 code units of the id and the 64 bits of
 * the version.
 */
export class Checksum {
  #high: number
  #low: number

  constructor(text = '0000000000000000') {
    this.#high = Number.parseInt(text.slice(0, 8), 16) >>> 0
    this.#low = Number.parseInt(text.slice(8), 16) >>> 0
  }

  add(id: string, version: number): this {
    hash64(id, version)
    return this.#plus(laneHigh, laneLow)
  }

  remove(id: string, version: number): this {
    hash64(id, version)
    const low = (~laneLow + 1) >>> 0
    return this.#plus((~laneHigh + (low === 0 ? 1 : 0)) >>> 0, low)
  }

  toString(): string {
    return digits(this.#high) + digits(this.#low)
  }

  #plus(high: number, low: number): this {
    const sum = this.#low + low
    this.#low = sum >>> 0
    this.#high = (this.#high + high + (sum > 0xffffffff ? 1 : 0)) >>> 0
    return this
  }
}

const digits = (lane: number): string => lane.toString(16).padStart(8, '0')

// The two lanes of the last hash. Globals, because returning a pair would allocate once per object of a page.
let laneHigh = 0
let laneLow = 0

/** Returns the two lanes of an id's hash before the version is mixed in, for stores that compute the checksum outside JavaScript. */
export function idLanes(id: string): { readonly high: number; readonly low: number } {
  hashId(id)
  return { high: laneHigh >>> 0, low: laneLow >>> 0 }
}

function hash64(id: string, version: number): void {
  hashId(id)
  const versionLow = version >>> 0
  const versionHigh = Math.floor(version / 0x100000000) >>> 0
  let high = Math.imul(laneHigh ^ versionLow, 0x85ebca6b) ^ versionHigh
  let low = Math.imul(laneLow ^ versionLow, 0xc2b2ae35) ^ Math.imul(versionHigh, 0x27d4eb2f)
  high = scramble(high ^ (low >>> 15))
  low = scramble(low ^ high)
  laneHigh = high >>> 0
  laneLow = low >>> 0
}

function hashId(id: string): void {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x27d4eb2f)
  }
  laneHigh = high
  laneLow = low
}

function scramble(lane: number): number {
  let mixed = lane ^ (lane >>> 16)
  mixed = Math.imul(mixed, 0x7feb352d)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
