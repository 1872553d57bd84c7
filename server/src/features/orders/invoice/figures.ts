import { divideRoundHalfUp, rationalOf, sum } from '../../../kernel/money.ts'
import { type InvoiceLine, netOf } from './lines.ts'

/**
 * A VAT category of EN 16931 (UNTDID 5305): S standard, Z zero rated, E exempt, AE reverse charge, K supply within the EU, G export.
 */
type VatCategory = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G'

interface Vat {
  readonly category: VatCategory
  /** Percent: `19`, `5.5`. Rates of one line apply to the same base, so they add up. */
  readonly percent: string
  /** As shoppers know it: `VAT`, or `GST + PST`. `null`: no tax was calculated. */
  readonly name: string | null
  /** The reason for charging no tax, if the invoice has to state it. */
  readonly note: string | null
}

interface VatSum extends Vat {
  readonly net: bigint
  readonly tax: bigint
}

type Exemption = NonNullable<InvoiceLine['taxLines'][number]['exemption']>

/** @see UNCL5305, as EN 16931 uses it */
const CATEGORIES: Readonly<Record<Exemption, VatCategory>> = {
  intra_community_supply: 'K',
  reverse_charge: 'AE',
  export: 'G',
  small_business: 'E',
}

/** The VAT of a line. */
export function vatOf({ taxLines }: Pick<InvoiceLine, 'taxLines'>): Vat {
  const exempt = taxLines.find(({ exemption }) => exemption !== undefined)
  const name = taxLines.map((tax) => tax.name).join(' + ') || null
  const note = exempt?.note ?? null
  const percent = percentOf(taxLines.map(({ rate }) => rate))
  if (exempt?.exemption !== undefined) return { category: CATEGORIES[exempt.exemption], percent: '0', name, note }
  if (taxLines.length === 0) return { category: 'E', percent: '0', name, note }
  return { category: percent === '0' ? 'Z' : 'S', percent, name, note }
}

/**
 * The net amount and the tax of each category and rate, the highest rate first. EN 16931 (BR-E-1) allows only one sum of exempt lines,
 * so that it has all their reasons.
 */
export function vatSumsOf(lines: readonly InvoiceLine[]): readonly VatSum[] {
  const groups = Map.groupBy(lines, (line) => {
    const { category, percent } = vatOf(line)
    return `${category} ${percent}`
  })
  return [...groups.values()]
    .map((own) => {
      const net = sum(own.map(netOf))
      const vats = own.map(vatOf)
      const note = [...new Set(vats.flatMap((each) => each.note ?? []))].join(' ') || null
      return { ...vats[0]!, note, net, tax: sum(own.map(({ total }) => total)) - net }
    })
    .toSorted((one, other) => Number(other.percent) - Number(one.percent))
}

function percentOf(rates: readonly string[]): string {
  const parts = rates.map(rationalOf)
  const tenThousandths = sum(
    parts.map(({ numerator, denominator }) => divideRoundHalfUp(numerator * 1_000_000n, denominator)),
  )
  return String(Number(tenThousandths) / 10_000)
}
