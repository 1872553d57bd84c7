import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { sqlStateOf } from '../postgres/index.ts'

/** A line that cannot be imported, with the reason as one sentence for the author of the file. */
export class InvalidLine extends Error {
  override readonly name = 'InvalidLine'
  /** The path of the invalid field, such as `skus/0/options`, unless the message begins with its pointer. */
  readonly field: string

  constructor(message: string, field = '') {
    super(message)
    this.field = field
  }
}

/** The most refused lines that an import keeps and reports. Further ones are only counted. */
export const REFUSED_LINES_MAX = 100_000

/** The result of an import of lines. A line that is neither created nor unchanged is refused; the first refused lines are listed. */
export interface LineReport {
  readonly read: number
  readonly created: number
  readonly unchanged: number
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

/** Whether the line caused the error: invalid itself, invalid data (class 22), a violated constraint (23), too large (54). */
export function isInvalidLine(error: unknown): error is Error {
  return error instanceof InvalidLine || ['22', '23', '54'].includes(sqlStateOf(error)?.slice(0, 2) ?? '')
}

/** Creates a validator of lines. `form` names them in errors. Compiling takes a while: do it once, on first use. */
export function lineValidator<Value>(schema: TSchema, form: string): (value: object) => Value {
  const validator = Compile(schema)
  return (value) => {
    if (!validator.Check(value)) throw new InvalidLine(firstFailure(validator, value, form))
    return value as Value
  }
}

/** `/skus/0/prices: must be array`: the deepest failure, because those above only repeat it. */
function firstFailure(validator: Validator, value: object, form: string): string {
  const failures = validator.Errors(value).filter(({ keyword }) => keyword !== 'boolean' && keyword !== 'anyOf')
  const deepest = failures.toSorted((a, b) => depth(b.instancePath) - depth(a.instancePath))[0]
  if (deepest === undefined) return `The line is not a valid ${form}.`
  const names = Object.values(deepest.params).flat().join(', ')
  const about = ['required', 'additionalProperties'].includes(deepest.keyword) ? ` (${names})` : ''
  return `${deepest.instancePath || '/'}: ${deepest.message}${about}.`.slice(0, 500)
}

function depth(pointer: string): number {
  return pointer.split('/').length
}
