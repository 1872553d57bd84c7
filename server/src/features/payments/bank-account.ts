/** A bank account that was found in the operator's payment instructions. */
interface BankAccount {
  /** The labeled line, else the first one without IBAN or BIC. Without its label. */
  readonly holder: string
  /** Without spaces. */
  readonly iban: string
  readonly bic: string | null
  /** The remaining lines. */
  readonly rest: string
}

/** It ends before the label of a BIC on the same line, whose letters could belong to it. */
const IBAN = /\b[A-Z]{2}\d{2}(?:(?! (?:BIC|SWIFT)\b) ?[A-Z0-9]){11,30}\b/
const BIC = /\b(?:BIC|SWIFT)[^A-Z0-9]*([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b/
const HOLDER_LABEL =
  /^(?:account holder|account name|recipient|kontoinhaber(?:in)?|inhaber(?:in)?|empfänger(?:in)?)\s*:\s*/i

/** Find the account in free text. `null` without a valid IBAN and a holder. */
export function bankAccountIn(instructions: string): BankAccount | null {
  const lines = instructions.split('\n').map((line) => line.trim())
  const iban = IBAN.exec(instructions)?.[0].replaceAll(' ', '') ?? ''
  const bic = BIC.exec(instructions)?.[1] ?? null
  const others = lines.filter((line) => line !== '' && !IBAN.test(line) && !BIC.test(line))
  const labeled = others.find((line) => HOLDER_LABEL.test(line))
  const holder = labeled ?? others[0]
  if (holder === undefined || !isIban(iban)) return null
  const rest = others.filter((line) => line !== holder).join('\n')
  return { holder: holder.replace(HOLDER_LABEL, ''), iban, bic, rest }
}

/** @see ISO 13616-1, ISO/IEC 7064 MOD 97-10 */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** Format an IBAN in groups of four, as banks print it. */
export function spacedIban(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** The countries of SEPA credit transfers. @see EPC409-09 */
const SEPA =
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA'
const EPC_AMOUNT_MAX = 99_999_999_999n

/**
 * The text of a QR code for banking apps. `null` if they cannot read it: only euros and SEPA accounts are supported.
 *
 * @param amount in minor units
 * @see EPC069-12
 */
export function epcText(
  { holder, iban, bic }: BankAccount,
  { amount, currency }: { readonly amount: bigint; readonly currency: string },
  reference: string,
): string | null {
  if (currency !== 'EUR' || !SEPA.split(' ').includes(iban.slice(0, 2)) || amount > EPC_AMOUNT_MAX) return null
  const euros = `EUR${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`
  return ['BCD', '002', '1', 'SCT', bic ?? '', holder.slice(0, 70), iban, euros, '', '', reference].join('\n')
}
