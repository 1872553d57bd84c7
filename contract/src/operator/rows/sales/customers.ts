import { type Static, Type } from 'typebox'
import { Email, id, LocaleTag, none, Timestamp, Version } from '../../../schemas/common.ts'
import { closed, flag, integer, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Customers'
const auth = { kind: 'operator', area: 'customers' } as const
const CustomerId = id('cus', 'The id of the customer.')
const Status = oneOf(['active', 'disabled'], 'Whether they can sign in.')

export const OperatorCustomerSummary = operatorNamed(
  'OperatorCustomerSummary',
  closed('A customer in a list, with a masked address.', {
    id: CustomerId,
    name: Type.Optional(text(201, 'The name, if they gave one.', 'Ada Example')),
    emailMasked: text(254, 'The email address, mostly hidden.', 'a…@example.com'),
    status: Status,
    createdAt: Timestamp,
  }),
)
export type OperatorCustomerSummary = Static<typeof OperatorCustomerSummary>

export const OperatorCustomer = operatorNamed(
  'OperatorCustomer',
  closed('A customer, with nothing masked.', {
    id: CustomerId,
    email: Email,
    firstName: Type.Optional(text(100, 'The first name.', 'Ada')),
    lastName: Type.Optional(text(100, 'The last name.', 'Example')),
    locale: LocaleTag,
    status: Status,
    marketingConsent: flag('Whether they consent to marketing email.', false),
    acceptedDocuments: listOf(
      closed('An accepted document.', {
        type: text(64, 'Its type.', 'terms'),
        version: text(64, 'Its version.', '2026-01'),
      }),
      50,
      'The documents that were accepted.',
    ),
    consents: Type.Optional(
      listOf(
        closed('A consent to marketing email that was given or withdrawn.', {
          at: Timestamp,
          given: flag('Whether it was given.', true),
          source: oneOf(['registration', 'account', 'operator'], 'Where it was recorded.'),
        }),
        1000,
        'The record of consent, oldest first.',
      ),
    ),
    sessions: integer(0, 1_000_000, 'Active sessions.', 1),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type OperatorCustomer = Static<typeof OperatorCustomer>

const params = closed('The customer.', { customerId: CustomerId })
const act = {
  method: 'POST',
  tag,
  auth,
  params,
  query: none,
  body: none,
  data: OperatorCustomer,
  meta: null,
} as const

export const customerRows = {
  listCustomers: operatorOperation({
    method: 'GET',
    path: '/operator/v1/customers',
    tag,
    summary: 'List customers, newest first.',
    description: '`q` is a complete email address or id, or a part of a name.',
    auth,
    query: closed('Page.', { ...listQuery, status: Type.Optional(Status) }),
    data: pageOf(OperatorCustomerSummary, 'Customers, newest first.'),
    refusals: ['invalid_cursor'],
  }),
  exportCustomers: operatorOperation({
    method: 'GET',
    path: '/operator/v1/exports/customers',
    tag,
    summary: 'Export customers as a table.',
    description:
      'A CSV file, newest first, with nothing masked. The export is in the audit log, without the customers.',
    auth,
    download: 'text/csv',
    recorded: true,
    query: closed('The filters of listCustomers.', { q: listQuery.q, status: Type.Optional(Status) }),
    data: text(8_388_608, 'Rows.', 'cus_01k5b7m2q8e9rtv3w4x5y6z7a8,ada@example.com,Ada,Example'),
    refusals: [],
  }),
  getCustomer: operatorOperation({
    method: 'GET',
    path: '/operator/v1/customers/{customerId}',
    tag,
    summary: 'Get a customer.',
    description: 'Nothing is masked. `listOrders` lists their orders.',
    auth,
    params,
    data: OperatorCustomer,
    refusals: ['not_found'],
    recordsRead: { type: 'customer', field: 'customerId' },
  }),
  disableCustomer: operatorOperation({
    ...act,
    path: '/operator/v1/customers/{customerId}/disable',
    summary: 'Disable a customer account.',
    description: 'Ends all their sessions at once. Their orders stay.',
    refusals: ['not_found', 'state_conflict'],
  }),
  enableCustomer: operatorOperation({
    ...act,
    path: '/operator/v1/customers/{customerId}/enable',
    summary: 'Let a customer sign in again.',
    description: 'With the password that they had.',
    refusals: ['not_found', 'state_conflict'],
  }),
  withdrawCustomerConsent: operatorOperation({
    ...act,
    path: '/operator/v1/customers/{customerId}/withdraw-consent',
    summary: 'Withdraw the consent to marketing email.',
    description: 'At the request of the customer. Recorded with its time.',
    refusals: ['not_found', 'state_conflict'],
  }),
  endCustomerSessions: operatorOperation({
    ...act,
    path: '/operator/v1/customers/{customerId}/end-sessions',
    summary: 'Sign a customer out everywhere.',
    description: 'They can sign in again.',
    refusals: ['not_found'],
  }),
}
