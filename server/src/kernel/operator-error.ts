/**
 * A sentence for the operator who asked for something that cannot be. The command line prints it; the operator door answers it
 * as a 400 with this message, since what an operator may read is not bound to the public list of refusals. It names no command and
 * no option: nobody knows here who asks.
 */
export class OperatorError extends Error {
  /** Which member is meant of what was asked for, as a JSON pointer; '': the whole. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.pointer = pointer
  }
}
