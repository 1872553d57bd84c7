import { rationalOf, sum, taxFromNet } from '../../../kernel/money.ts'
import type { TaxReply, TaxRequest, TaxRequestLine } from './provider.ts'

type ReplyLine = TaxReply['lines'][number]

/** The contract's limit of taxes on a line. */
const TAXES_MAX = 20
/** A provider may round each tax the other way. */
const ROUNDING = 1n

/**
 * What is wrong with the reply of a provider, in the words of a log; `null`: nothing. An invoice has to add up, so each tax must be
 * what its rate comes to.
 */
export function replyFault(request: TaxRequest, reply: TaxReply): string | null {
  if (reply.currency !== request.currency) return `the currency is ${reply.currency}, not ${request.currency}`
  const known = new Set(request.lines.map(({ id }) => id))
  const surplus = reply.lines.find(({ id }) => !known.delete(id))
  if (surplus) return `line ${surplus.id} was not asked about, or is answered twice`
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
    if (!/^[A-Z]{2}$/.test(country)) return `${country} is no country`
    if (!/^[0-9](\.[0-9]{1,8})?$/.test(rate)) return `${rate} is no rate`
    if (own < 0n) return 'a tax is negative'
    if (own > amount) return 'the tax is above the line'
    const due = taxFromNet(included ? amount - tax : amount, [rationalOf(rate)])[0]!
    if (own - due > ROUNDING || due - own > ROUNDING)
      return `a tax of ${own} is not ${rate} of the line, which is ${due}`
  }
  return tax > amount ? 'the tax is above the line' : null
}
