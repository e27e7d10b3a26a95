/** Random numbers that a seed determines (mulberry32). */

export class Random {
  #state;

  constructor(seed) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
    for (let warmUp = 0; warmUp < 4; warmUp++) this.next();
  }

  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability) {
    return this.next() < probability;
  }

  /** @returns an integer, both included */
  integer(min, max) {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  duration(meanMs) {
    return -Math.log(1 - this.next()) * meanMs;
  }

  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  some(list) {
    const some = list.filter(() => this.chance(0.5));
    return some.length > 0 ? some : list.slice(0, 1);
  }

  weighted(weights) {
    const entries = Object.entries(weights);
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) if ((rest -= weight) < 0) return name;
    return entries[0][0];
  }
}
