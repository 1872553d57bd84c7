import { Type } from 'typebox'
import { id } from '../../../schemas/common.ts'
import { closed, oneOf } from '../../../schemas/primitives.ts'
import { operatorOperation } from '../../operation.ts'
import { OperatorLineReport } from './licenses.ts'

export const orderImportRows = {
  importOrders: operatorOperation({
    method: 'POST',
    path: '/operator/v1/order-imports',
    tag: 'Orders',
    summary: 'Import orders from another system with their history.',
    description:
      'The body is the file, one order per line. An invalid line is reported and affects no other line. Orders are frozen: importing the same file again changes nothing, and a changed line is refused. No webhooks are sent.',
    auth: { kind: 'operator', area: 'orders' },
    upload: true,
    query: closed('The format of the file.', {
      format: oneOf(['jsonl', 'jsonl.gz'], 'The format of the file.'),
      installationId: Type.Optional(id('ins', 'The installation for lines that name none.')),
    }),
    data: OperatorLineReport,
    refusals: ['not_found', 'file_unreadable'],
  }),
}
