/**
 * An error for the operator. The command line prints its message; the operator door responds with a 400 with this message. It
 * names no commands or options, since both doors use it.
 */
export class OperatorError extends Error {
  /** JSON pointer to the invalid field; '' for the whole body. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.pointer = pointer
  }
}
