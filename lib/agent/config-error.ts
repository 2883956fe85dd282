/** An option that cannot work. Thrown while things are set up, never later. */
export class RecloserConfigError extends Error {
  override readonly name = 'RecloserConfigError';
  readonly option: string;

  constructor(option: string, problem: string) {
    super(`Recloser option "${option}": ${problem}`);
    this.option = option;
  }
}
