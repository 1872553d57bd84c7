/** What was typed into a field and can be seen to be wrong before it is sent. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault'
  /** Names the field, as the server would. */
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}
