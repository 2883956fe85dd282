/** One secret shared by one caller and one callee. */
export type ProbeKey = {
  /** 1 to 32 of the characters A-Z a-z 0-9 _ -; travels in the header. */
  readonly id: string;
  /** At least 32 random bytes; a string is read as base64 or base64url. */
  readonly secret: string | Uint8Array;
};
