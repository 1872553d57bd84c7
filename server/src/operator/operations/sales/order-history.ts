import type { OperatorOrder } from '@vitrine/contract/operator'
import type { Order } from '../../../features/orders/index.ts'
import { presentTimeline } from '../../../features/orders/index.ts'
import type { Language } from '../../../kernel/languages/languages.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { type AuditedStep, auditedSteps } from '../../door/audit-log.ts'

type History = OperatorOrder['history']

/** The operation that sends an email again, and the field of its audit entry that says which. */
const RESEND = { operation: 'resendOrderMail', field: 'mail' } as const
/** The contract's maximum. The newest are shown. */
const SHOWN_MAX = 500

/**
 * What happened to an order, with operators by name. The timeline says that an operator acted; who it was is in the audit log,
 * which records each change at the same instant, under the order or a part of it.
 */
export async function historyOf(
  reader: Reader,
  order: Order,
  parts: readonly { readonly id: string }[],
  language: Language,
): Promise<History> {
  const steps = await auditedSteps(reader, [order.id, ...parts.map(({ id }) => id)])
  const told = presentTimeline('orderTimeline', order.timeline.slice(-SHOWN_MAX), language)
  return [...namingOperators(told, steps), ...resentOf(steps)].sort((one, other) => one.at.localeCompare(other.at))
}

/** Entries of a timeline with the operators by name. */
function namingOperators(
  entries: readonly History[number][],
  steps: readonly AuditedStep[],
): readonly History[number][] {
  const byTime = new Map(steps.map(({ at, email }) => [at.toISOString(), email]))
  return entries.map((entry) => {
    const by = entry.actor === 'operator' ? byTime.get(entry.at) : undefined
    return by === undefined ? entry : { ...entry, by }
  })
}

function resentOf(steps: readonly AuditedStep[]): readonly History[number][] {
  const resent = steps.filter(({ operation }) => operation === RESEND.operation).slice(-SHOWN_MAX)
  return resent.map(({ at, email, after }) => {
    const text = 'An email was sent again.'
    return {
      at: at.toISOString(),
      actor: 'operator',
      by: email,
      code: 'mail_resent',
      text,
      mail: String(after?.[RESEND.field]),
    }
  })
}
