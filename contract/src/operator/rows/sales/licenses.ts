import { type Static, Type } from 'typebox'
import { Environment, id } from '../../../schemas/common.ts'
import { closed, integer, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Licenses'
const auth = { kind: 'operator', area: 'orders' } as const
const SkuId = id('sku', 'The id of the SKU.')
const COUNT_MAX = 2_147_483_647
const count = (description: string, example: number) => integer(0, COUNT_MAX, description, example)

export const OperatorLicensePool = operatorNamed(
  'OperatorLicensePool',
  closed('The license keys of a SKU in one environment, as counts only.', {
    skuId: SkuId,
    skuCode: text(250, 'The SKU code of the store.', 'NOVEL-PDF'),
    environment: Environment,
    free: count('Free keys.', 120),
    given: count('Delivered keys.', 80),
    owed: count('Paid units that wait for keys.', 0),
  }),
)
export type OperatorLicensePool = Static<typeof OperatorLicensePool>

/** The refused lines of a file import. */
export const refusedLines = (maxItems: number) =>
  listOf(
    closed('A refused line and the reason.', {
      line: integer(1, COUNT_MAX, 'The line number.', 17),
      reason: text(4000, 'Why it was refused.', 'A key can have at most 500 characters.'),
    }),
    maxItems,
    'The first refused lines.',
  )

export const OperatorLineReport = operatorNamed(
  'OperatorLineReport',
  closed('The result of a file import.', {
    read: count('Lines read.', 500),
    created: count('Lines that created something.', 498),
    unchanged: count('Lines without changes.', 1),
    refused: count('Refused lines.', 1),
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
    description: 'Each pool in both environments: test keys are never delivered in live.',
    auth,
    data: closed('The pools.', { items: listOf(OperatorLicensePool, 20_000, 'The pools.') }),
    refusals: [],
  }),
  importLicenseKeys: operatorOperation({
    method: 'POST',
    path: '/operator/v1/licence-pools/{skuId}/keys',
    tag,
    summary: 'Import license keys for a SKU, one per line.',
    description:
      'The body is the file. From the first import on, the SKU is delivered by email, and shoppers who wait for keys get them. Importing the same file again changes nothing.',
    auth,
    upload: true,
    params: closed('The SKU.', { skuId: SkuId }),
    query: closed('The environment of the pool.', { environment: Type.Optional(Environment) }),
    data: OperatorLineReport,
    refusals: ['not_found'],
    store: { object: 'sku', field: 'skuId' },
  }),
}
