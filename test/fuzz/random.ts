/** Random choices that can be repeated: the same seed makes the same choices. */

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
    // Seeds that are close to each other shall not begin alike.
    for (let i = 0; i < 4; i++) this.next()
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number below `limit`. */
  int(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  /** Between 0 and `most` of the items, in any order. */
  some<T>(items: readonly T[], most: number): T[] {
    return items.length === 0 ? [] : Array.from({ length: this.int(most + 1) }, () => this.pick(items))
  }
}

/** The seed of this run: given by KEDGE_SEED, or a new one in long runs, or always the same. */
export function chooseSeed(usual: number): number {
  const given = process.env.KEDGE_SEED
  if (given !== undefined && /^\d+$/.test(given)) return Number(given) >>> 0
  return process.env.KEDGE_LONG ? Math.floor(Math.random() * 4294967296) : usual
}

/** For case `index` of a run, so that one case can be made again without the others. */
export function caseRandom(seed: number, index: number): Random {
  return new Random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0)
}
