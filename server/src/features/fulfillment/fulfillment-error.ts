import { OperatorError } from '../../kernel/operator-error.ts'
export type FulfilmentFault = 'not_found' | 'invalid' | 'too_many' | 'wrong_state' | 'reference_taken' | 'ambiguous'

/** An operator error. */
export class FulfilmentError extends OperatorError {
  override readonly name = 'FulfilmentError'
  readonly fault: FulfilmentFault

  constructor(fault: FulfilmentFault, sentence: string) {
    super(sentence)
    this.fault = fault
  }
}
