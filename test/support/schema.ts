import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

type Validator = ReturnType<typeof Compile>

/** Compiling a schema takes milliseconds, checking a value microseconds. */
const validators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known) return known
  const validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Fails with the first faults if a value does not match a schema. */
export function assertMatches(schema: TSchema, value: unknown): void {
  const validator = validatorOf(schema)
  if (!validator.Check(value)) assert.deepEqual(validator.Errors(value).slice(0, 3), [], 'the value matches its schema')
}
