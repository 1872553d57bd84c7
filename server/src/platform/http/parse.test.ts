import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleOf, type Operation, operations, PublicErrorResponse, type RefusalCode } from '@vitrine/contract'
import { operatorOperations } from '@vitrine/contract/operator'
import fc from 'fast-check'
import { type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { refuses } from '../../../../test/support/refuses.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { errorResponseOf } from './errors.ts'
import { parserOf, type RawInput } from './parse.ts'

const closed = { additionalProperties: false }
const none = Type.Object({}, closed)

function parser(schemas: { params?: TObject; query?: TObject; body?: TSchema }, kind: 'public' | 'oauth' = 'public') {
  const row = { auth: { kind }, params: none, query: none, body: null, ...schemas } as unknown as Operation
  const parse = parserOf(row)
  return (raw: Partial<RawInput>) =>
    parse({ params: {}, query: {}, url: '/', contentType: undefined, bytes: null, ...raw })
}

const json = (value: unknown): Partial<RawInput> => text(JSON.stringify(value))
const text = (value: string): Partial<RawInput> => ({ contentType: 'application/json', bytes: Buffer.from(value) })

/** The details of a refusal, whose body matches its schema. */
async function details(code: RefusalCode, work: () => unknown) {
  const refusal = await refuses(code, work)
  const { body } = errorResponseOf(refusal, 'req_01k5b7m2q8e9rtv3w4x5y6z7a8')
  const schema = Compile(PublicErrorResponse)
  assert(schema.Check(body), JSON.stringify(schema.Errors(body)))
  return body.details
}

describe('a body', () => {
  const everything = Type.Object(
    {
      integer: Type.Integer({ minimum: 1, maximum: 999 }),
      atLeast: Type.Integer({ minimum: 1 }),
      above: Type.Number({ exclusiveMinimum: 0 }),
      below: Type.Number({ exclusiveMaximum: 10 }),
      even: Type.Integer({ multipleOf: 2 }),
      text: Type.String({ minLength: 2, maxLength: 4 }),
      pattern: Type.String({ pattern: '^[a-z]+$' }),
      email: Type.String({ format: 'email' }),
      word: Type.Enum(['a', 'b']),
      fixed: Type.Literal('S256'),
      list: Type.Array(Type.Integer(), { minItems: 1, maxItems: 2, uniqueItems: true }),
      map: Type.Record(Type.String({ pattern: '^[a-z/~]+$' }), Type.String(), {
        ...closed,
        minProperties: 1,
        maxProperties: 2,
      }),
      nested: Type.Object({ inner: Type.Array(Type.Object({ sku: Type.String() }, closed)) }, closed),
      nullable: Type.Union([Type.String(), Type.Null()]),
      quantity: Type.Integer({ minimum: 1, maximum: 999, 'x-refusal': 'quantity_invalid' }),
    },
    closed,
  )
  const parse = parser({ body: Type.Partial(everything, closed) })

  const cases: readonly (readonly [string, object, string, string])[] = [
    ['type', { integer: '7' }, '/integer', 'wrong_type'],
    ['type of a fraction', { integer: 1.5 }, '/integer', 'wrong_type'],
    ['minimum', { integer: 0 }, '/integer', 'out_of_range'],
    ['maximum', { integer: 1000 }, '/integer', 'out_of_range'],
    ['minimum without maximum', { atLeast: 0 }, '/atLeast', 'out_of_range'],
    ['exclusiveMinimum', { above: 0 }, '/above', 'out_of_range'],
    ['exclusiveMaximum', { below: 10 }, '/below', 'out_of_range'],
    ['multipleOf', { even: 3 }, '/even', 'out_of_range'],
    ['minLength', { text: 'x' }, '/text', 'wrong_length'],
    ['maxLength', { text: 'xxxxx' }, '/text', 'wrong_length'],
    ['pattern', { pattern: 'A' }, '/pattern', 'wrong_format'],
    ['format', { email: 'nobody' }, '/email', 'wrong_format'],
    ['enum', { word: 'c' }, '/word', 'not_allowed'],
    ['const', { fixed: 'plain' }, '/fixed', 'not_allowed'],
    ['minItems', { list: [] }, '/list', 'wrong_length'],
    ['maxItems', { list: [1, 2, 3] }, '/list', 'wrong_length'],
    ['uniqueItems', { list: [1, 1] }, '/list', 'not_unique'],
    ['type of an item', { list: [1, 'x'] }, '/list/1', 'wrong_type'],
    ['minProperties', { map: {} }, '/map', 'wrong_length'],
    ['maxProperties', { map: { a: '', b: '', c: '' } }, '/map', 'wrong_length'],
    ['a value of a map, its name escaped', { map: { 'a/b~c': 1 } }, '/map/a~1b~0c', 'wrong_type'],
    ['required, deep inside', { nested: { inner: [{ sku: 'x' }, {}] } }, '/nested/inner/1/sku', 'required'],
    ['alternatives', { nullable: 5 }, '/nullable', 'wrong_type'],
  ]
  for (const [what, value, pointer, code] of cases) {
    test(`that violates ${what} is refused with ${code} at ${pointer}`, async () => {
      const [first] = await details('validation_failed', () => parse(json(value)))
      assert.deepEqual([first?.in, first?.pointer, first?.code], ['body', pointer, code])
    })
  }

  test('outside of both bounds names them', async () => {
    const [first] = await details('validation_failed', () => parse(json({ integer: 1000 })))
    assert.deepEqual([first?.message, first?.params], ['Must be from 1 to 999.', { min: 1, max: 999 }])
  })

  test('outside of a list of values names them, unless they are too many', async () => {
    const [word] = await details('validation_failed', () => parse(json({ word: 'c' })))
    assert.deepEqual([word?.message, word?.params], ['Must be one of: a, b.', undefined])
    const [fixed] = await details('validation_failed', () => parse(json({ fixed: 'plain' })))
    assert.deepEqual([fixed?.message, fixed?.params], ['Must be one of: S256.', { allowedValue: 'S256' }])
    const many = Type.Object({ word: Type.Enum(Array.from({ length: 500 }, (_, index) => `word_${index}`)) })
    const [long] = await details('validation_failed', () => parser({ body: many })(json({ word: 'c' })))
    assert.equal(long?.message, 'This must be equal to one of the allowed values.')
  })

  test('outside of one bound names it', async () => {
    const [first] = await details('validation_failed', () => parse(json({ text: 'xxxxx' })))
    assert.deepEqual(first?.params, { limit: 4 })
  })

  test('is refused with the x-refusal of a property', async () => {
    for (const quantity of [0, 1000, 'x']) await details('quantity_invalid', () => parse(json({ quantity })))
  })

  test('without a required field names it', async () => {
    const [first] = await details('validation_failed', () =>
      parser({ body: Type.Object({ a: Type.String() }, closed) })(json({})),
    )
    assert.deepEqual([first?.pointer, first?.code, first?.message], ['/a', 'required', 'a is required.'])
  })

  const unknown: readonly (readonly [string, string, string])[] = [
    ['a name', '{"color":1}', '/color'],
    ['a name with a slash and a tilde', '{"a/b~c":1}', '/a~1b~0c'],
    ['an empty name', '{"":1}', '/'],
    ['__proto__', '{"__proto__":{"integer":1}}', '/__proto__'],
    ['constructor', '{"constructor":1}', '/constructor'],
    ['toString', '{"toString":1}', '/toString'],
    ['a name of other letters', '{"größe 🏷":1}', '/größe 🏷'],
    ['half a surrogate pair', '{"\\ud83c":1}', '/\ufffd'],
    ['a NUL', '{"\\u0000":1}', '/\ufffd'],
    ['a name inside', '{"nested":{"inner":[{"sku":"a","x":1}]}}', '/nested/inner/0/x'],
  ]
  for (const [what, sent, pointer] of unknown) {
    test(`with an unknown field locates it: ${what}`, async () => {
      const [first] = await details('unknown_field', () => parse(text(sent)))
      assert.deepEqual([first?.pointer, first?.code], [pointer, 'unknown_field'])
    })
  }

  test('with an unknown and an invalid field names both', async () => {
    const reported = await details('unknown_field', () => parse(json({ integer: 0, color: 1 })))
    assert.deepEqual(reported.map((each) => each.code).sort(), ['out_of_range', 'unknown_field'])
  })

  for (const count of [9, 21, 1000]) {
    test(`with ${count} unknown fields names at most 20 of them`, async () => {
      const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]))
      const reported = await details('unknown_field', () => parse(json(fields)))
      assert.equal(reported.length, Math.min(20, count))
    })
  }

  test('of a megabyte of faults is refused without listing all of them', async () => {
    const fields = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`x${index}`, 1]))
    for (const [body, code, pointer] of [
      [fields, 'validation_failed', ''],
      [{ list: Array(400_000).fill('x') }, 'validation_failed', '/list'],
      [{ nested: { inner: Array(60_000).fill({ x: 1 }) } }, 'unknown_field', '/nested/inner/0/sku'],
    ] as const) {
      const raw = json(body)
      const started = process.cpuUsage()
      const [first] = await details(code, () => parse(raw))
      const took = process.cpuUsage(started).user / 1000
      assert(took < 3000, `${took} ms`)
      assert.equal(first?.pointer, pointer)
    }
  })

  test('of alternatives is validated against the intended one', async () => {
    const closed = { additionalProperties: false }
    const alternatives = parser({
      body: Type.Object({
        effect: Type.Union([
          Type.Object({ kind: Type.Literal('rate'), rate: Type.String({ pattern: '^[0-9]$' }) }, closed),
          Type.Object({ kind: Type.Literal('sum'), sum: Type.Integer() }, closed),
          Type.Null(),
        ]),
      }),
    })
    for (const [effect, code, expected] of [
      [{ kind: 'rate', rate: 'x' }, 'validation_failed', ['/effect/rate wrong_format']],
      [{ kind: 'rate' }, 'validation_failed', ['/effect/rate required']],
      [{ kind: 'sum', sum: 1, rate: '1' }, 'unknown_field', ['/effect/rate unknown_field']],
      [
        { kind: 'free' },
        'validation_failed',
        ['/effect/kind not_allowed', '/effect/kind not_allowed', '/effect wrong_type'],
      ],
    ] as const) {
      const found = await details(code, () => alternatives(json({ effect })))
      assert.deepEqual(
        found.map((each) => `${each.pointer} ${each.code}`),
        expected,
      )
    }
  })

  test('nested a hundred thousand deep is refused without a stack overflow', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await details('validation_failed', () => parse(text(deep)))
    await details('validation_failed', () => parse(text(`{"nested":${deep}}`)))
  })

  test('with a field name as long as the body gets a bounded response', async () => {
    const [first] = await details('unknown_field', () => parse(json({ [`${'~'.repeat(500_000)}`]: 1 })))
    assert.equal(first?.pointer.length, 1000)
  })

  test('that is not an object is refused', async () => {
    for (const value of [null, [], 'text', 5, true]) await details('validation_failed', () => parse(json(value)))
  })

  test('that is absent is refused, with the advice to send {}', async () => {
    for (const bytes of [null, Buffer.alloc(0)]) {
      const [first] = await details('invalid_json', () => parse({ contentType: 'application/json', bytes }))
      assert.deepEqual([first?.in, first?.pointer, first?.code], ['body', '', 'required'])
    }
  })

  test('that is invalid JSON is refused with the place of the fault, without quoting it', async () => {
    const broken = ['{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}', '{} {}', '\ufeff{}x', '[1,2', '\0', '\u202e']
    for (const sent of broken) {
      const [first] = await details('invalid_json', () => parse(text(sent)))
      assert.equal(first?.code, 'invalid')
      assert.match(first?.message ?? '', /^The body is not valid JSON(: look at character \d+)?\.$/)
    }
  })

  test('with a member that occurs twice in an object is refused with its place', async () => {
    const twice = { in: 'body', code: 'not_unique', message: 'Send it once.' }
    const anything = parser({ body: Type.Unknown() })
    for (const [sent, pointer] of [
      ['{"a":1,"a":1}', '/a'],
      ['{"a":1,"\\u0061" : 2}', '/a'],
      ['{"list":[{"x":1},{"y":1,"x":"]","y":{}}]}', '/list/1/y'],
      ['{"a/b":{"~":1,"~":2}}', '/a~1b/~0'],
      ['{"__proto__":1,"__proto__":2}', '/__proto__'],
      ['[[],[{"":1,"":2}]]', '/1/0/'],
    ] as const) {
      assert.deepEqual(await details('validation_failed', () => anything(text(sent))), [{ ...twice, pointer }], sent)
    }
    for (const sent of [
      '{"a":{"a":1},"b":{"a":1}}',
      '["a","a",{"b":"\\"a\\":","a":"{"}]',
      '"a"',
      '{"a":"a","A":[",","]"]}',
    ]) {
      assert.deepEqual(anything(text(sent)).body, JSON.parse(sent))
    }
  })

  test('with half a surrogate pair is refused with the place of each', async () => {
    const anything = parser({ body: Type.Object({}) })
    for (const [sent, pointers] of [
      ['{"a":"\\ud800"}', ['/a']],
      ['{"a":{"b~/":["x","\\udc00y"]},"c":"\\uD83C"}', ['/c', '/a/b~0~1/1']],
      [`{"a":${'['.repeat(2000)}"\\ud800"${']'.repeat(2000)}}`, [`/a${'/0'.repeat(2000)}`.slice(0, 1000)]],
    ] as const) {
      const found = await details('validation_failed', () => anything(text(sent)))
      assert.deepEqual(
        found.map(({ pointer, code }) => [pointer, code]),
        pointers.map((pointer) => [pointer, 'wrong_format']),
      )
    }
    for (const whole of ['{"a":"\\ud83c\\udff7"}', '{"a":"🏷\\ud7ff"}', '{"a":"\\\\ud800"}']) {
      assert.deepEqual(anything(text(whole)).body, JSON.parse(whole))
    }
  })

  test('that is not UTF-8 is refused', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    const [first] = await details('invalid_json', () => parse({ contentType: 'application/json', bytes }))
    assert.match(first?.message ?? '', /UTF-8/)
  })

  test('is application/json in UTF-8, in any spelling', () => {
    for (const contentType of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json ; charset = utf-8 ',
    ]) {
      assert.deepEqual(parse({ contentType, bytes: Buffer.from('{"integer":5}') }).body, { integer: 5 })
    }
  })

  test('of another media type is refused, with the required one', async () => {
    for (const contentType of [
      undefined,
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/jsonp',
      'application/problem+json',
      'text/json',
    ]) {
      const [first] = await details('unsupported_media_type', () => parse({ contentType, bytes: Buffer.from('{}') }))
      assert.deepEqual([first?.in, first?.pointer], ['header', 'Content-Type'])
    }
  })

  test('throws only refusals for any JSON, and accepts nothing outside of its schema', () => {
    const schema = Compile(Type.Partial(everything, closed))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom(...Object.keys(everything.properties), 'x'), fc.jsonValue()),
        ),
        (value) => {
          try {
            assert(schema.Check(parse(json(value)).body))
          } catch (error) {
            assert(error instanceof Refusal, String(error))
            assert((error.facts.details ?? []).length > 0)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is refused by an operation without one', async () => {
    assert.equal(parser({})({ bytes: Buffer.alloc(0) }).body, null)
    const [detail] = await details('validation_failed', () => parser({})(text('{}')))
    assert.deepEqual([detail?.in, detail?.code], ['body', 'not_allowed'])
  })

  test('with a content coding is refused', async () => {
    assert.deepEqual(parse({ ...json({ integer: 5 }), contentEncoding: 'identity' }).body, { integer: 5 })
    for (const contentEncoding of ['gzip', 'br', 'x', 'identity, gzip']) {
      const [detail] = await details('unsupported_media_type', () => parse({ ...json({}), contentEncoding }))
      assert.equal(detail?.pointer, 'Content-Encoding')
    }
  })
})

describe('path parameters', () => {
  const parse = parser({
    params: Type.Object({ cartId: Type.String({ pattern: '^cart_[0-7][0-9a-hjkmnp-tv-z]{25}$' }) }, closed),
  })

  test('pass in their format', () => {
    const params = { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' }
    assert.deepEqual(parse({ params }).params, params)
  })

  test('in another format are refused', async () => {
    const [first] = await details('invalid_identifier', () => parse({ params: { cartId: 'cart_1' } }))
    assert.deepEqual([first?.in, first?.pointer, first?.code], ['path', '/cartId', 'wrong_format'])
  })

  test('are checked before the query and the body', () =>
    details('invalid_identifier', () => parse({ params: { cartId: '' }, query: { x: '1' } })).then(() => {}))
})

describe('query parameters', () => {
  const parse = parser({
    query: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        facets: Type.Optional(Type.Boolean()),
        category: Type.Optional(Type.Array(Type.String({ maxLength: 10 }), { maxItems: 3 })),
        q: Type.Optional(Type.String({ maxLength: 10 })),
      },
      { ...closed, patternProperties: { '^option\\.[a-z]+$': Type.Array(Type.String(), { maxItems: 2 }) } },
    ),
  })

  test('are converted to the type of their schema', () => {
    const query = { limit: '24', facets: 'true', category: 'mugs', q: '24' }
    assert.deepEqual(parse({ query }).query, { limit: 24, facets: true, category: ['mugs'], q: '24' })
  })

  test('are lists if they may be repeated', () => {
    const query = { category: ['mugs', 'cups'], 'option.size': 'm', 'option.color': ['red', 'blue'] }
    assert.deepEqual(parse({ query }).query, {
      category: ['mugs', 'cups'],
      'option.size': ['m'],
      'option.color': ['red', 'blue'],
    })
  })

  test('that are filters by option may be nested, as some generated clients send them', async () => {
    const filters = parser({
      query: Type.Object({}, { ...closed, patternProperties: { '^option\\.[a-z]+$': Type.Array(Type.String()) } }),
    })
    for (const [query, read] of [
      [{ 'optionFilters[option.glaze]': 'blue' }, { 'option.glaze': ['blue'] }],
      [{ 'optionFilters[option.glaze]': ['blue', 'red'] }, { 'option.glaze': ['blue', 'red'] }],
      [{ 'option.glaze': 'red', 'optionFilters[option.glaze]': 'blue' }, { 'option.glaze': ['red', 'blue'] }],
    ] as const) {
      assert.deepEqual(filters({ query }).query, read)
    }
    for (const name of ['optionFilters[glaze]', 'optionFilters', 'filters[option.glaze]', 'optionFilters[]']) {
      await details('unknown_parameter', () => filters({ query: { [name]: 'blue' } }))
    }
    await details('unknown_parameter', () => parse({ query: { 'optionFilters[limit]': '1' } }))
  })

  test('are refused if they must not be repeated', async () => {
    const [first] = await details('validation_failed', () => parse({ query: { q: ['a', 'b'] } }))
    assert.deepEqual([first?.in, first?.pointer, first?.code], ['query', '/q', 'not_unique'])
    const [limit] = await details('validation_failed', () => parse({ query: { limit: ['1', '2'] } }))
    assert.deepEqual([limit?.pointer, limit?.message], ['/limit', 'Send it once.'])
  })

  test('are converted only from digits, true and false', async () => {
    for (const limit of ['', ' 5', '5 ', '0x10', '1e1', '5.0', '+5', 'NaN', '٥']) {
      const [first] = await details('validation_failed', () => parse({ query: { limit } }))
      assert.deepEqual([first?.pointer, first?.code], ['/limit', 'wrong_type'], limit)
    }
    for (const facets of ['1', 'yes', 'TRUE', ''])
      await details('validation_failed', () => parse({ query: { facets } }))
  })

  test('outside of their bounds name them', async () => {
    for (const limit of ['0', '101', '-1', '9007199254740993']) {
      const [first] = await details('validation_failed', () => parse({ query: { limit } }))
      assert.deepEqual([first?.pointer, first?.message], ['/limit', 'Must be from 1 to 100.'])
    }
  })

  test('with an escape that is not UTF-8 are refused', async () => {
    for (const [name, pointer] of [
      ['limit=%ff', '/limit'],
      ['%zz=1', ''],
      ['a=1&limit=%E0%A4%A', '/limit'],
    ]) {
      const [first] = await details('validation_failed', () => parse({ url: `/products?${name}` }))
      assert.deepEqual([first?.in, first?.pointer, first?.code], ['query', pointer, 'wrong_format'])
    }
  })

  test('that are unknown are named', async () => {
    for (const name of ['offset', '__proto__', 'constructor', 'Limit', 'limit ', 'option.', 'option.SIZE']) {
      const query = Object.fromEntries([[name, '1']])
      const [first] = await details('unknown_parameter', () => parse({ query }))
      assert.deepEqual([first?.in, first?.pointer, first?.code], ['query', `/${name}`, 'unknown_parameter'])
    }
  })
})

describe('a form', () => {
  const body = Type.Object({ grant_type: Type.String(), scope: Type.Optional(Type.String()) }, closed)
  const form = (value: string, contentType = 'application/x-www-form-urlencoded') =>
    ({ contentType, bytes: Buffer.from(value) }) as const
  const parse = parser({ body }, 'oauth')

  test('is accepted by the OAuth rows, with its media type in any spelling', () => {
    for (const type of ['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; charset="UTF-8"']) {
      assert.deepEqual(parse(form('grant_type=a+b%20c', type)).body, { grant_type: 'a b c' })
    }
  })

  test('treats a field without a value as omitted', () =>
    assert.deepEqual(parse(form('grant_type=a&scope=')).body, { grant_type: 'a' }))

  test('is refused with a repeated or unknown field', async () => {
    const [twice] = await details('validation_failed', () => parse(form('grant_type=a&grant_type=b')))
    assert.deepEqual([twice?.pointer, twice?.code], ['/grant_type', 'not_unique'])
    for (const name of ['zz', '__proto__']) {
      const [unknown] = await details('unknown_field', () => parse(form(`grant_type=a&${name}=1`)))
      assert.equal(unknown?.pointer, `/${name}`)
    }
  })

  test('is refused with an escape that is not UTF-8', async () => {
    for (const sent of ['grant_type=%ff', 'grant_type=%zz', 'grant_type=a&%ff=b', 'grant_type=%ED%A0%80']) {
      const [first] = await details('validation_failed', () => parse(form(sent)))
      assert.deepEqual([first?.in, first?.code], ['body', 'wrong_format'], sent)
    }
    await details('invalid_json', () => parse({ ...form(''), bytes: Buffer.from([0x61, 0x3d, 0xff]) }))
  })

  test('is refused by all other rows', async () => {
    await details('unsupported_media_type', () => parser({ body })(form('grant_type=a')))
  })

  test('is named where another media type was sent', async () => {
    const sent = { ...form('grant_type=a'), contentType: 'text/plain' }
    const [first] = await details('unsupported_media_type', () => parse(sent))
    assert.match(String(first?.message), /application\/x-www-form-urlencoded or application\/json/)
  })
})

describe('one wrong member of a large body', () => {
  interface Node {
    readonly anyOf?: readonly TSchema[]
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly items?: TSchema
    readonly maxItems?: number
    readonly uniqueItems?: boolean
  }

  /** An example with all members, and many items in the outermost lists. */
  function large(schema: TSchema, count = 400): unknown {
    const { anyOf, properties, items, maxItems = count, uniqueItems = false } = schema as Node
    if (anyOf?.[0]) return large(anyOf[0], count)
    if (items) return Array.from({ length: uniqueItems ? 1 : Math.min(count, maxItems) }, () => large(items, 1))
    if (!properties) return exampleOf(schema)
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, large(each, count)]))
  }

  /** The pointers of all values; of a list, only those in its last item. */
  function leavesOf(value: unknown, pointer = ''): string[] {
    if (typeof value !== 'object' || value === null) return [pointer]
    return Object.entries(value)
      .slice(Array.isArray(value) ? -1 : 0)
      .flatMap(([name, each]) => leavesOf(each, `${pointer}/${name}`))
  }

  function planted(value: unknown, pointer: string): unknown {
    // Examples are shared: a structured clone would keep that.
    const copy = JSON.parse(JSON.stringify(value))
    const path = pointer.split('/').slice(1)
    const last = path.pop()!
    const parent = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], copy)
    ;(parent as Record<string, unknown>)[last] = { wrong: true }
    return copy
  }

  const withBodies = Object.entries({ ...operations, ...operatorOperations }).flatMap(([id, row]) => {
    const { body } = row as { readonly body: TSchema | null }
    return body ? [{ id, body }] : []
  })

  for (const { id, body } of withBodies) {
    test(`is what the response points to: ${id}`, async () => {
      const parse = parser({ body })
      const valid = large(body)
      for (const pointer of leavesOf(valid)) {
        const wrong = json(planted(valid, pointer))
        await assert.rejects(
          async () => parse(wrong),
          ({ facts }: Refusal) => {
            // The wrong value is an object: if one is allowed, its member is wrong.
            assert.ok([pointer, `${pointer}/wrong`].includes(facts.details?.[0]?.pointer ?? ''), pointer)
            return true
          },
        )
      }
    })
  }
})
