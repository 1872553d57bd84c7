import { type Static, Type } from 'typebox'
import { Timestamp } from '../../../schemas/common.ts'
import { closed, integer, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Privacy'
const auth = { kind: 'operator', area: 'privacy' } as const
const COUNT_MAX = 2_147_483_647

const body = closed('The person.', {
  person: text(254, 'An email address, also of a guest, or the id of a customer.', 'ada@example.com'),
})
const common = { method: 'POST', tag, auth, body } as const

const found = listOf(
  closed('The rows in a table.', {
    place: text(64, 'The table.', 'orders'),
    rows: integer(0, COUNT_MAX, 'How many.', 2),
    effect: oneOf(['deleted', 'erased', 'kept_for_legal_time'], 'What an erasure does with them.'),
  }),
  100,
  'The tables with data about the person.',
)

export const OperatorErasure = operatorNamed(
  'OperatorErasure',
  closed('What an erasure finds.', {
    found,
    open: listOf(
      text(64, 'The number of an order, or the id of a checkout.', 'V-1001'),
      1000,
      'The orders and checkouts that must end first.',
    ),
  }),
)
export type OperatorErasure = Static<typeof OperatorErasure>

export const OperatorPersonalData = operatorNamed(
  'OperatorPersonalData',
  closed('Everything about a person, without secrets.', {
    createdAt: Timestamp,
    data: Type.Record(
      Type.String({ minLength: 1, maxLength: 64, description: 'A table.' }),
      Type.Array(Type.Unknown(), { maxItems: 100_000, description: 'Its rows.' }),
      { description: 'The rows by table.', examples: [{ customers: [{ email: 'ada@example.com' }] }] },
    ),
  }),
)
export type OperatorPersonalData = Static<typeof OperatorPersonalData>

const days = (max: number, description: string, example: number) => integer(1, max, description, example)
const retention = {
  orderYears: Type.Optional(
    integer(1, 30, 'Full calendar years that orders and invoices stay readable. Absent: until they are erased.', 10),
  ),
  closedAccountDays: Type.Optional(
    days(3650, 'Days until someone who closed their account is erased. Absent: until they are erased.', 30),
  ),
  endedCartDays: days(365, 'Days that ended carts are kept.', 90),
  mailDays: days(365, 'Days that sent emails are kept.', 30),
  searchDays: days(730, 'Days that counts of searches are kept.', 180),
}
const RetentionVersion = integer(0, COUNT_MAX, 'Increases by one with each change; 0 if nothing was saved.', 1)

export const OperatorRetention = operatorNamed(
  'OperatorRetention',
  closed('The retention periods.', { ...retention, version: RetentionVersion }),
)
export type OperatorRetention = Static<typeof OperatorRetention>

const rows = (what: string) => integer(0, COUNT_MAX, what, 3)
export const OperatorRetentionPreview = operatorNamed(
  'OperatorRetentionPreview',
  closed('The number of records that would go now.', {
    orders: rows('Orders.'),
    invoices: rows('Invoices and credit notes.'),
    closedAccounts: rows('Accounts that were closed.'),
    endedCarts: rows('Carts.'),
    mails: rows('Emails.'),
    searches: rows('Counts of searches.'),
  }),
)
export type OperatorRetentionPreview = Static<typeof OperatorRetentionPreview>

export const privacyRows = {
  exportPerson: operatorOperation({
    ...common,
    path: '/operator/v1/people/export',
    summary: 'Export everything about a person.',
    description:
      'The rows of every table that has something about them, without passwords and tokens. Recorded in the audit log.',
    data: OperatorPersonalData,
    refusals: ['not_found'],
  }),
  previewErasure: operatorOperation({
    ...common,
    unaudited: true,
    path: '/operator/v1/people/erasure-preview',
    summary: 'Preview an erasure.',
    description: 'Changes nothing.',
    data: OperatorErasure,
    refusals: ['not_found'],
  }),
  erasePerson: operatorOperation({
    ...common,
    path: '/operator/v1/people/erase',
    summary: 'Erase a person.',
    description:
      'Cannot be undone. Deletes the account, carts and emails, and makes orders anonymous. Invoices stay readable until their legal retention period ends. Answers stored for idempotent replay are erased by a job within minutes.',
    data: OperatorErasure,
    refusals: ['not_found', 'state_conflict'],
  }),
  getRetention: operatorOperation({
    method: 'GET',
    path: '/operator/v1/retention',
    tag,
    summary: 'Get the retention periods.',
    description: 'Data without a period is kept until it is erased.',
    auth,
    data: OperatorRetention,
    refusals: [],
  }),
  previewRetention: operatorOperation({
    method: 'POST',
    path: '/operator/v1/retention/preview',
    tag,
    summary: 'Preview other retention periods.',
    description: 'Changes nothing.',
    unaudited: true,
    auth,
    body: closed('The settings.', retention),
    data: OperatorRetentionPreview,
    refusals: [],
  }),
  saveRetention: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/retention',
    tag,
    summary: 'Save the retention periods.',
    description: 'Older data is deleted or erased within minutes and cannot be restored. Preview the change first.',
    auth,
    body: closed('The settings.', { ...retention, expectedVersion: Type.Optional(RetentionVersion) }),
    data: OperatorRetention,
    refusals: ['version_conflict'],
  }),
}
