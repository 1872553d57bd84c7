import { type Static, Type } from 'typebox'
import { Timestamp } from '../../../schemas/common.ts'
import { closed, formed, mapOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const state = (description: string) =>
  orNull(
    mapOf(
      '^[A-Za-z][A-Za-z0-9_]{0,63}$',
      Type.Unknown({ description: 'Any JSON.', 'x-any-json': true }),
      200,
      description,
      {
        examples: [{ status: 'active' }],
      },
    ),
    description,
  )

export const AuditEntry = operatorNamed(
  'AuditEntry',
  closed('A change by an operator.', {
    id: formed('^aud_[0-7][0-9a-hjkmnp-tv-z]{25}$', 30, 'The id of the entry.', 'aud_01k5b7m2q8e9rtv3w4x5y6z7a8'),
    at: Timestamp,
    operator: closed('The operator.', {
      id: Type.Optional(
        formed(
          '^(opr|itg)_[0-7][0-9a-hjkmnp-tv-z]{25}$',
          30,
          'The operator or the integration.',
          'opr_01k5b7m2q8e9rtv3w4x5y6z7a8',
        ),
      ),
      email: text(254, 'The address, or the name of an integration.', 'ada@example.com'),
      via: oneOf(['session', 'token', 'setup', 'integration'], 'The kind of credential.'),
    }),
    operation: text(100, 'The operation.', 'updateProduct'),
    subject: closed('The changed resource.', {
      type: text(64, 'Its kind.', 'product'),
      id: text(200, 'Its id.', 'prod_01k5b7m2q8e9rtv3w4x5y6z7a8'),
    }),
    before: state('The changed fields before the change; `null`: created.'),
    after: state('The changed fields after the change; `null`: deleted.'),
    requestId: text(40, 'The request.', 'req_01k5b7m2q8e9rtv3w4x5y6z7a8'),
    address: Type.Optional(text(64, 'The IP address of the request.', '127.0.0.1')),
  }),
)
export type AuditEntry = Static<typeof AuditEntry>

export const auditRows = {
  listAuditLog: operatorOperation({
    method: 'GET',
    path: '/operator/v1/audit-log',
    tag: 'Audit log',
    summary: 'List changes, newest first.',
    description: 'Who changed what and when, with the values before and after. Entries are never changed or deleted.',
    auth: { kind: 'operator', area: 'audit' },
    query: closed('Filters and page.', {
      ...listQuery,
      subject: Type.Optional(text(200, 'The id of the changed resource.', 'prod_01k5b7m2q8e9rtv3w4x5y6z7a8')),
      operation: Type.Optional(text(100, 'The operation.', 'updateProduct')),
    }),
    data: pageOf(AuditEntry, 'Changes, newest first.'),
    refusals: ['invalid_cursor'],
  }),
}
