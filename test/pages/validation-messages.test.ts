import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { describeReason } from '../../console/src/ui/form/validation-messages.ts'
import { lineValidator } from '../../server/src/platform/line-files/invalid-line.ts'

const validate = lineValidator(
  Type.Object(
    {
      id: Type.Optional(Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]*$' })),
      names: Type.Optional(Type.Record(Type.String(), Type.String(), { minProperties: 1, maxProperties: 2 })),
      skus: Type.Optional(Type.Array(Type.Object({ code: Type.String() }), { minItems: 2, maxItems: 3 })),
      stock: Type.Optional(Type.Integer({ minimum: 0, exclusiveMaximum: 9, multipleOf: 2 })),
      taxed: Type.Optional(Type.Boolean()),
      type: Type.Optional(Type.Literal('product')),
    },
    { additionalProperties: false },
  ),
  'product',
)

/** The reason in plain words why a line is not accepted. */
function reasonOf(line: object): string {
  try {
    validate(line)
  } catch (error) {
    return describeReason((error as Error).message)
  }
  return assert.fail(`${JSON.stringify(line)} is accepted`)
}

describe('the reason why a line of a file was rejected', () => {
  const cases: readonly (readonly [line: object, reason: string])[] = [
    [{ skus: {} }, '/skus: Expected a list.'],
    [{ skus: [{ code: 'a' }] }, '/skus: At least 2 entries.'],
    [{ skus: [{ code: 'a' }, 7] }, '/skus/1: Expected an object.'],
    [{ skus: [{ code: 'a' }, {}] }, '/skus/1: missing code.'],
    [{ names: {} }, '/names: Required.'],
    [{ names: { en: 1 } }, '/names/en: Expected text.'],
    [{ names: { en: 'a', de: 'b', fr: 'c' } }, '/names: At most 2 entries.'],
    [{ id: 'a' }, '/id: At least 2 characters.'],
    [{ id: 'abcde' }, '/id: At most 4 characters.'],
    [{ id: 'A1' }, '/id: Invalid format.'],
    [{ stock: 'many' }, '/stock: Enter a number.'],
    [{ stock: -2 }, '/stock: At least 0.'],
    [{ stock: 10 }, '/stock: Less than 9.'],
    [{ stock: 3 }, '/stock: A multiple of 2.'],
    [{ taxed: 'yes' }, '/taxed: Expected true or false.'],
    [{ type: 'store' }, '/type: This value is not available.'],
    [{ size: 'red' }, 'Unknown: size.'],
  ]
  for (const [line, reason] of cases)
    test(`is “${reason}”, without terms of a schema`, () => assert.equal(reasonOf(line), reason))

  test('stays as it is if no schema rejected it', () => {
    assert.equal(describeReason('/status: the order is paid.'), '/status: the order is paid.')
  })
})
