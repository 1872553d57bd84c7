/** An invalid input that is found before the form is sent. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault'
  /** The JSON pointer by which the server names the field. */
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}
