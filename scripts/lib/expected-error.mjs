/** A failure whose message is all a person needs; printed without a stack. */
export class ExpectedError extends Error {
  expected = true;
}
