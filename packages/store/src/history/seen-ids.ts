const EMPTY_SLOT = 0
const STAGED = 1
const FIELDS = 3

/**
 * A set of ids, each stored as a 64-bit hash with 31 bits of a content hash and a staged flag: 12 bytes an id of any length. The random seed prevents
 * ids from being chosen to collide.
 */
export class SeenIds {
  #slots = new Int32Array(FIELDS * 1024)
  #size = 0
  readonly #seed = (Math.random() * 0x100000000) | 0

  get size(): number {
    return this.#size
  }

  /** Records the content of an id. Returns true for a new id. */
  record(id: string, text: string, staged: boolean): boolean {
    if (this.#size * FIELDS * 2 > this.#slots.length) this.#grow()
    const slot = this.#slotOf(id)
    const first = this.#slots[slot] === EMPTY_SLOT
    if (first) {
      this.#size++
      this.#slots[slot] = highHash
      this.#slots[slot + 1] = lowHash
    }
    this.#slots[slot + 2] = this.#textHash(text) | (staged ? STAGED : 0)
    return first
  }

  has(id: string): boolean {
    return this.#slots[this.#slotOf(id)] !== EMPTY_SLOT
  }

  /** True if the id had exactly this content, or its content is staged and will be compared again. */
  settles(id: string, text: string | null): boolean {
    const recorded = this.#slots[this.#slotOf(id) + 2] ?? 0
    return (recorded & STAGED) !== 0 || (text !== null && recorded === this.#textHash(text))
  }

  #textHash(text: string): number {
    hash(text, this.#seed)
    return lowHash & ~STAGED
  }

  #slotOf(id: string): number {
    hash(id, this.#seed)
    return slotIn(this.#slots, highHash, lowHash)
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    for (let slot = 0; slot < old.length; slot += FIELDS) {
      const high = old[slot] ?? EMPTY_SLOT
      if (high !== EMPTY_SLOT)
        this.#slots.set(old.subarray(slot, slot + FIELDS), slotIn(this.#slots, high, old[slot + 1] ?? 0))
    }
  }
}

/** Returns the slot of a hash, or the empty slot for it. */
function slotIn(slots: Int32Array, high: number, low: number): number {
  const mask = slots.length / FIELDS - 1
  let index = low & mask
  while (slots[index * FIELDS] !== EMPTY_SLOT && (slots[index * FIELDS] !== high || slots[index * FIELDS + 1] !== low))
    index = (index + 1) & mask
  return index * FIELDS
}

// The two lanes of the last hash: returning a pair would allocate once per object.
let highHash = 0
let lowHash = 0

function hash(text: string, seed: number): void {
  let high = seed ^ 0x9e3779b9
  let low = ~seed ^ text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x85ebca77)
    low = Math.imul(low ^ unit, 0xc2b2ae3d) ^ (high >>> 13)
  }
  high = Math.imul(high ^ (high >>> 16), 0x7feb352d)
  low = Math.imul(low ^ (low >>> 15) ^ high, 0x846ca68b)
  // Zero marks an empty slot.
  highHash = (high ^ (low >>> 16)) | 0 || 1
  lowHash = (low ^ (low >>> 13)) | 0
}
