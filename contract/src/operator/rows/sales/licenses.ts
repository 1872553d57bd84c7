import { type Static, Type } from 'typebox'
import { Environment, id, none } from '../../../schemas/common.ts'
import { closed, integer, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Licenses'
const auth = { kind: 'operator' } as const
const SkuId = id('sku', 'The id of the SKU.')
const COUNT_MAX = 2_147_483_647
const count = (description: string, example: number) => integer(0, COUNT_MAX, description, example)

export const OperatorLicensePool = operatorNamed(
  'OperatorLicensePool',
  closed('The keys of a SKU in one environment: how many, never which.', {
    skuId: SkuId,
    skuCode: text(250, 'What the store calls it.', 'NOVEL-PDF'),
    environment: Environment,
    free: count('Keys that can be given.', 120),
    given: count('Keys that shoppers have.', 80),
    owed: count('Units that shoppers have paid for and wait for.', 0),
  }),
)
export type OperatorLicensePool = Static<typeof OperatorLicensePool>

/** What became of the lines of a file. */
export const refusedLines = (maxItems: number) =>
  listOf(
    closed('A line, and why.', {
      line: integer(1, COUNT_MAX, 'Its number.', 17),
      reason: text(4000, 'Why it cannot be taken.', 'A key has 500 characters at most.'),
    }),
    maxItems,
    'The first lines that could not be taken.',
  )

export const OperatorLineReport = operatorNamed(
  'OperatorLineReport',
  closed('What became of the lines of a file.', {
    read: count('Lines that were read.', 500),
    created: count('Lines that made something.', 498),
    unchanged: count('Lines that said what was there.', 1),
    refused: count('Lines that could not be taken.', 1),
    refusals: refusedLines(100_000),
  }),
)
export type OperatorLineReport = Static<typeof OperatorLineReport>

export const licenseRows = {
  listLicensePools: operatorOperation({
    method: 'GET',
    path: '/operator/v1/licence-pools',
    tag,
    summary: 'List license key pools, oldest first.',
    description: 'Each in both environments: test keys are never given in live.',
    auth,
    params: none,
    query: none,
    body: null,
    data: closed('The pools.', { items: listOf(OperatorLicensePool, 20_000, 'The pools.') }),
    meta: null,
    refusals: [],
  }),
  importLicenseKeys: operatorOperation({
    method: 'POST',
    path: '/operator/v1/licence-pools/{skuId}/keys',
    tag,
    summary: 'Put keys into the pool of a SKU, one from each line.',
    description:
      'The body is the file. From the first import on, the SKU is delivered by mail, and who waits for keys gets them. The same file again changes nothing.',
    auth,
    upload: true,
    params: closed('The SKU.', { skuId: SkuId }),
    query: closed('Which pool.', { environment: Type.Optional(Environment) }),
    body: null,
    data: OperatorLineReport,
    meta: null,
    refusals: ['not_found'],
  }),
}
