import type { CommandLine } from '../command-line.ts'
import type { Answer } from '../operator-client.ts'
import { environment, limit } from '../options.ts'
import { columns } from '../output.ts'
import { priceOf } from './orders.ts'

const PAYMENTS_MAX = 200

/** `payment`, `job` and `mailbox`. */
export function addMonitoringCommands(cli: CommandLine): void {
  addPayments(cli)
  addJobs(cli)
  addMailbox(cli)
}

interface PaymentListOptions {
  readonly environment: 'test' | 'live'
  readonly waiting?: boolean
}

function addPayments({ command, group, operator, out }: CommandLine): void {
  const payment = group('payment', 'unsettled payments')
  command(payment, 'list', 'list payments with an unknown outcome, the longest unchanged first')
    .option('--environment <environment>', 'test or live', environment, 'live')
    .option('--waiting', 'list payments that wait for a shopper or an operator instead')
    .action(async ({ environment: of, waiting }: PaymentListOptions) => {
      const view = waiting ? 'waiting' : 'unknown'
      const shown = await operator(async (client) => {
        const found = await client.list('listPayments', { environment: of, view }, PAYMENTS_MAX)
        const read = found.map(({ id }) => client.call('getPayment', { params: { paymentId: id } }))
        return (await Promise.all(read)).map(presentPayment)
      })
      const rows = shown.map(
        ({ id, status, step, purpose, subjectId, amount, currency, provider, attempts, updatedAt }) => {
          const sum = priceOf({ amount, currency })
          return [id, `${status} (${step})`, purpose, subjectId, sum, provider, `${attempts.length}`, updatedAt]
        },
      )
      const heads = ['ID', 'STATUS', 'FOR', 'SUBJECT', 'AMOUNT', 'PROVIDER', 'ATTEMPTS', 'LAST MOVED']
      out.table(shown, heads, rows, `No payment is ${view}.`)
    })
  command(payment, 'show <id>', 'show a payment with each call to its provider').action(async (id: string) => {
    const shown = presentPayment(await operator((client) => client.call('getPayment', { params: { paymentId: id } })))
    const due = shown.dueAt === null ? '' : `, next check at ${shown.dueAt}`
    const rows = shown.attempts.map((each) => {
      return [`${each.number}`, each.sentAt, each.action, each.step, each.answer ?? 'none is known', each.detail ?? '']
    })
    out.result(shown, [
      `${id} is ${shown.status}: ${shown.kind} of ${priceOf(shown)} for ${shown.purpose} ${shown.subjectId}.`,
      `At ${shown.provider}, step ${shown.step}, reference ${shown.providerReference ?? 'not known'}${due}.`,
      ...(rows.length > 0
        ? columns([['#', 'SENT', 'WHAT', 'STEP', 'ANSWER', 'DETAIL'], ...rows])
        : ['Nothing was sent yet.']),
    ])
  })
  command(payment, 'look <id>', 'ask the provider for the outcome now').action(async (id: string) => {
    const { status, endedAt, provider } = await operator((client) =>
      client.call('reconcilePayment', { params: { paymentId: id } }),
    )
    const ended = endedAt !== undefined
    const sentence = ended
      ? `${id} is settled: ${status}.`
      : `${provider} does not know yet: vitrine payment show ${id}`
    out.result({ id, status, ended }, [sentence])
  })
}

function presentPayment({ payment, attempts }: Answer<'getPayment'>) {
  const { id, kind, purpose, subjectId, environment: of, provider, amount, status, step, updatedAt } = payment
  const { providerReference = null, dueAt = null, endedAt = null } = payment
  const facts = { id, kind, purpose, subjectId, environment: of, provider, currency: amount.currency, status, step }
  const times = { dueAt, updatedAt, endedAt }
  const calls = attempts.map(({ number, action, step: at, sentAt, ...rest }) => {
    const { answeredAt = null, answer = null, detail = null } = rest
    return { number, action, step: at, sentAt, answeredAt, answer, detail }
  })
  return { ...facts, providerReference, amount: amount.amount, ...times, attempts: calls }
}

function addJobs({ command, group, operator, out }: CommandLine): void {
  const job = group('job', 'jobs that failed permanently')
  command(job, 'list', 'list the jobs with their last error').action(async () => {
    const { items } = await operator((client) => client.call('listDeadJobs'))
    const jobs = items.map(({ lastError = null, ...each }) => ({ ...each, lastError }))
    const rows = jobs.map((each) => {
      return [each.id, each.deadAt, each.kind, each.subject, `${each.attempts}`, each.lastError ?? '']
    })
    out.table(
      jobs,
      ['ID', 'FAILED', 'KIND', 'SUBJECT', 'ATTEMPTS', 'LAST ERROR'],
      rows,
      'No job has failed permanently.',
    )
  })
  command(job, 'retry <id>', 'retry a job').action(async (id: string) => {
    await operator((client) => client.call('retryDeadJob', { params: { jobId: id } }))
    out.result({ id }, [`${id} runs again as soon as a worker is free.`])
  })
}

function addMailbox({ command, group, operator, out }: CommandLine): void {
  const mailbox = group('mailbox', 'outgoing emails')
  command(mailbox, 'list', 'list the newest emails')
    .option('--limit <number>', 'number of emails', limit, 50)
    .action(async ({ limit: count }: { limit: number }) => {
      const found = await operator((client) => client.list('listMails', {}, count))
      const mails = found.map(({ lastError = null, ...each }) => ({ ...each, lastError }))
      const rows = mails.map(({ id, createdAt, status, recipient, subject }) => [
        id,
        createdAt,
        status,
        recipient,
        subject,
      ])
      out.table(mails, ['ID', 'CREATED', 'STATUS', 'TO', 'SUBJECT'], rows, 'There are no mails.')
    })
  command(mailbox, 'show <id>', 'show an email').action(async (id: string) => {
    const mail = await operator((client) => client.call('getMail', { params: { mailId: id } }))
    const { lastError = null, text = null, ...head } = mail
    out.result({ ...head, lastError, text }, [
      `To:      ${mail.recipient}`,
      `Subject: ${mail.subject}`,
      `Created: ${mail.createdAt}`,
      `Status:  ${mail.status}${lastError === null ? '' : ` (${lastError})`}`,
      '',
      text ?? 'An SMTP server has accepted it; its text is no longer stored here.',
    ])
  })
}
