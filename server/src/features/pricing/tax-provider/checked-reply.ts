import { rationalOf, sum, taxFromNet } from '../../../kernel/money.ts'
import type { TaxReply, TaxRequest, TaxRequestLine } from './provider.ts'

type ReplyLine = TaxReply['lines'][number]

/** The contract's limit of taxes on a line. */
const TAXES_MAX = 20
/** A provider may round each tax differently. Minor units. */
const ROUNDING = 1n

/**
 * The fault of a provider's reply, as text for the log; `null` if there is none. An invoice has to add up, so each tax must match its
 * rate.
 */
export function replyFault(request: TaxRequest, reply: TaxReply): string | null {
  if (reply.currency !== request.currency) return `the currency is ${reply.currency}, not ${request.currency}`
  const known = new Set(request.lines.map(({ id }) => id))
  const surplus = reply.lines.find(({ id }) => !known.delete(id))
  if (surplus) return `line ${surplus.id} was not in the request, or is in the reply twice`
  const [missing] = known
  if (missing !== undefined) return `line ${missing} is missing`
  for (const line of reply.lines) {
    const asked = request.lines.find(({ id }) => id === line.id)!
    const fault = lineFault(asked, line, request.pricesIncludeTax)
    if (fault !== null) return `line ${line.id}: ${fault}`
  }
  return null
}

function lineFault({ amount }: TaxRequestLine, { taxes, exemption }: ReplyLine, included: boolean): string | null {
  if (taxes.length === 0) return exemption ? null : 'neither a tax nor an exemption'
  if (exemption) return 'both a tax and an exemption'
  if (taxes.length > TAXES_MAX) return `more than ${TAXES_MAX} taxes`
  const tax = sum(taxes.map((each) => each.amount))
  for (const { name, rate, amount: own, country } of taxes) {
    if (name === '' || name.length > 200) return 'a name must have 1 to 200 characters'
    if (!/^[A-Z]{2}$/.test(country)) return `${country} is not a country code`
    if (!/^[0-9](\.[0-9]{1,8})?$/.test(rate)) return `${rate} is not a rate`
    if (own < 0n) return 'a tax is negative'
    if (own > amount) return 'the tax is above the line'
    const due = taxFromNet(included ? amount - tax : amount, [rationalOf(rate)])[0]!
    if (own - due > ROUNDING || due - own > ROUNDING) return `a tax is ${own}, but ${rate} of the line is ${due}`
  }
  return tax > amount ? 'the tax is above the line' : null
}
