import type { Core } from '../core';

/** 160 bits in groups that can be read out: 32 characters without look-alikes. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS = 160;

/** Every five bits one character. */
export function drawCode({ random }: Pick<Core, 'random'>): string {
  const bits = [...random(BITS / 8)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const chars = bits.match(/.{5}/g)?.map((five) => ALPHABET.charAt(Number.parseInt(five, 2))) ?? [];
  return chars.join('').replace(/.{8}(?=.)/g, '$&-');
}

/**
 * What is stored and looked up instead of the code: finding a hash in an index tells nothing about
 * the code by the time it takes.
 */
export function hashOfCode({ hash }: Pick<Core, 'hash'>, code: string): string {
  return hash(`code:${code.toLowerCase().replace(/[^0-9a-z]/g, '')}`);
}
