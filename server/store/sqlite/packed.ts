/**
 * Numbers in few bytes. Integers take seven bits a byte; durations that are not whole are float32
 * (6e-8 of their value); fractions keep four decimals in two bytes, others all eight.
 */

/** One sample at its largest: 4,096 buckets of two numbers of eight bytes, and its head. */
const CAPACITY = 128 * 1024;
const MAX_FAST = 2 ** 31;
const FRACTION_UNITS = 10_000;

export class PackedWriter {
  readonly #bytes = Buffer.allocUnsafe(CAPACITY);
  #length = 0;

  reset(): void {
    this.#length = 0;
  }

  /** A copy of what was written since the reset. */
  take(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  byte(value: number): void {
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 to 2^53 - 1. */
  count(value: number): void {
    let rest = value;
    while (rest >= MAX_FAST) {
      this.byte((rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  signed(value: number): void {
    this.count(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** Even: a whole number; odd: a float follows. */
  duration(value: number): void {
    if (Number.isInteger(value) && value < MAX_FAST) {
      this.count(value * 2);
      return;
    }
    this.byte(1);
    this.#length = this.#bytes.writeFloatLE(value, this.#length);
  }

  fraction(value: number): void {
    const units = Math.round(value * FRACTION_UNITS);
    if (units / FRACTION_UNITS === value) {
      this.count(units + 1);
      return;
    }
    this.byte(0);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }
}

/** Reads past the end throw: a body that is cut short is damage, not a small number. */
export class PackedReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#offset++);
  }

  count(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 128;
    }
  }

  signed(): number {
    const coded = this.count();
    return coded % 2 === 1 ? -(coded + 1) / 2 : coded / 2;
  }

  duration(): number {
    const coded = this.count();
    if (coded % 2 === 0) return coded / 2;
    const value = this.#bytes.readFloatLE(this.#offset);
    this.#offset += 4;
    return value;
  }

  fraction(): number {
    const coded = this.count();
    if (coded > 0) return (coded - 1) / FRACTION_UNITS;
    const value = this.#bytes.readDoubleLE(this.#offset);
    this.#offset += 8;
    return value;
  }
}
