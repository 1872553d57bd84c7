/** An invalid input that is found before the form is sent. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
  /** The JSON pointer of the field in the API. */
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}
