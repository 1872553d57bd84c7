import { Type } from 'typebox'
import { id, none } from '../../../schemas/common.ts'
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
      'The body is the file: one order a line. A line that cannot be taken is reported, and takes no other with it. An order is frozen: the same file again changes nothing, and a line that says otherwise is refused. No webhooks are sent.',
    auth: { kind: 'operator' },
    upload: true,
    params: none,
    query: closed('What the file is.', {
      format: oneOf(['jsonl', 'jsonl.gz'], 'How the file is written.'),
      installationId: Type.Optional(id('ins', 'The installation of lines that name none.')),
    }),
    body: null,
    data: OperatorLineReport,
    meta: null,
    refusals: ['not_found', 'file_unreadable'],
  }),
}
