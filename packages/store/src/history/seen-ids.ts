const EMPTY_SLOT = 0
const STAGED = 1
const FIELDS = 3

/**
 * The set of ids that came, each as a hash of 64 bits, with 31 bits of the content and whether it is staged: 12 bytes an id, whatever its length.
 * The hash has a new random seed each time, so that ids that collide cannot be chosen.
 */
export class SeenIds {
  #slots = new Int32Array(FIELDS * 1024)
  #size = 0
  readonly #seed = (Math.random() * 0x100000000) | 0

  get size(): number {
    return this.#size
  }

  /** Notes what came for an id. True: it is there for the first time. */
  note(id: string, text: string, staged: boolean): boolean {
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

  /** Whether exactly this came for the id, or what came is staged and will be compared again. */
  settles(id: string, text: string | null): boolean {
    const noted = this.#slots[this.#slotOf(id) + 2] ?? 0
    return (noted & STAGED) !== 0 || (text !== null && noted === this.#textHash(text))
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

/** Where this hash stands, or the empty place where it belongs. */
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
  // Zero marks an empty place.
  highHash = (high ^ (low >>> 16)) | 0 || 1
  lowHash = (low ^ (low >>> 13)) | 0
}
