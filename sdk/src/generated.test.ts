import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EventKind,
  exampleOf,
  type InputOf,
  type PublicErrorResponse,
  type Received,
  type ReceivedEventDataOf,
  type ReceivedOf,
  type RefusalCode,
  operations as rows,
} from '@vitrine/contract'
import { operations } from './generated/operations.ts'
import type {
  ErrorCode,
  EventDataByKind,
  OperationId,
  OperationInputs,
  OperationMethods,
  OperationOutputs,
  PublicErrorResponse as SdkErrorResponse,
} from './index.ts'

/*
 * The types of the SDK are those of the contract. The compiler checks it: `npm run check -- types`.
 */

type Rows = typeof rows
type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
/** Without names and `readonly`, and without the filters by option, which TypeBox cannot express. */
type Plain<Type> = Type extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Type extends object
    ? { -readonly [Name in keyof Type as Name extends `option.${string}` ? never : Name]: Plain<Type[Name]> }
    : Type
type Same<One, Other> = Equal<Plain<One>, Plain<Other>>

/** A part of an input. An absent part equals an empty one. */
type PartOf<Input, Part extends string> = Part extends keyof Input ? OrNone<Exclude<Input[Part], undefined>> : 'none'
type OrNone<Part> = [Part] extends [null]
  ? 'none'
  : [keyof Part] extends [never]
    ? Part extends string
      ? Part
      : 'none'
    : Part

type DifferentInputs = {
  [Id in OperationId]: {
    [Part in 'params' | 'query' | 'body']: Same<
      PartOf<OperationInputs[Id], Part>,
      PartOf<InputOf<Rows[Id]>, Part>
    > extends true
      ? never
      : `${Id} ${Part}`
  }['params' | 'query' | 'body']
}[OperationId]
type DifferentOutputs = {
  [Id in OperationId]: Same<OperationOutputs[Id], ReceivedOf<Rows[Id]>> extends true ? never : Id
}[OperationId]
type DifferentMethods = {
  [Id in OperationId]: OperationMethods[Id] extends (input: OperationInputs[Id]) => Promise<OperationOutputs[Id]>
    ? never
    : Id
}[OperationId]
type DifferentEvents = {
  [Kind in EventKind]: Same<EventDataByKind[Kind], ReceivedEventDataOf<Kind>> extends true ? never : Kind
}[EventKind]

type Holds<Claim extends true> = Claim
export type Guarantees = [
  Holds<Equal<OperationId, keyof Rows>>,
  Holds<Equal<DifferentInputs, never>>,
  Holds<Equal<DifferentOutputs, never>>,
  Holds<Equal<DifferentMethods, never>>,
  Holds<Equal<keyof EventDataByKind, EventKind>>,
  Holds<Equal<DifferentEvents, never>>,
  Holds<Equal<ErrorCode, RefusalCode>>,
  Holds<Same<SdkErrorResponse, Received<typeof PublicErrorResponse>>>,
  // The comparison notices a missing member, an optional one and another type, at any depth.
  Holds<Equal<Same<{ list: { a: string }[] }, { list: { a: string; b?: string }[] }>, false>>,
  Holds<Equal<Same<{ list: { a: string }[] }, { list: { a?: string }[] }>, false>>,
  Holds<Equal<Same<{ list: { a: 'x' }[] }, { list: { a: 'x' | 'y' }[] }>, false>>,
]

test('the table has the method, the path and the traits of each operation', () => {
  assert.deepEqual(Object.keys(operations), Object.keys(rows))
  for (const [id, facts] of Object.entries(operations)) {
    const row = rows[id as OperationId]
    assert.deepEqual([facts.method, facts.path], [row.method, row.path])
    assert.equal('hasBody' in facts, row.body !== null, id)
    assert.equal('hasKey' in facts, row.idempotency === 'required', id)
    assert.equal('hasMeta' in facts, row.meta !== null, id)
  }
})

test('each operation with a link to its next page is a list that can be iterated', () => {
  const withLink = Object.entries(rows).filter(([, row]) =>
    /"next":/.test(JSON.stringify([exampleOf(row.data), row.meta && exampleOf(row.meta)])),
  )
  const lists = Object.entries(operations).filter(([, facts]) => 'next' in facts)
  assert.deepEqual(
    lists.map(([id]) => id),
    withLink.map(([id]) => id),
  )
})
