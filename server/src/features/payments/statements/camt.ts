import { setImmediate as turn } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { isCurrency, minorOf } from '../../../kernel/currencies.ts'
import { sum } from '../../../kernel/money.ts'
import { isDate } from './cells.ts'
import {
  refuseFile,
  STATEMENT_LINES_MAX,
  type Statement,
  type StatementLine,
  type UnreadableLine,
} from './statement.ts'

// CAMT.053: the bank-to-customer statement of ISO 20022. Versions differ in the position of status, payer and amount. Elements are
// found by name, so that the same code reads every version.

/** An element with its children. */
interface Element {
  readonly name: string
  readonly currency: string
  readonly children: Element[]
  text: string
}

/** A statement has 12 levels. */
const DEPTH_MAX = 40
const TEXT_MAX = 10_000
/** Characters to parse before other requests get a turn: some 3 ms. */
const CHARACTERS_PER_TURN = 64 * 1024

/**
 * Read a CAMT.053 file. The XML is not trusted: a document type is refused before any of its declarations is read, so there are no
 * entities to expand or fetch. Depth and length are limited.
 *
 * Refusals: `file_unreadable`.
 *
 * @see docs/decisions/0105-bank-statements.md
 */
export async function readCamt(text: string): Promise<Statement> {
  const reader = new CamtReader()
  const parser = new SaxesParser({ xmlns: true })
  parser.on('doctype', () => refuseFile('The file has a document type, which bank statements do not have.'))
  parser.on('error', () => refuseFile(`The XML is damaged in line ${parser.line}.`))
  parser.on('opentag', ({ local, uri, attributes }) => reader.open(local, uri, attributes.Ccy?.value ?? ''))
  parser.on('text', (part) => reader.take(part))
  parser.on('cdata', (part) => reader.take(part))
  parser.on('closetag', () => reader.close())
  for (let at = 0; at < text.length; at += CHARACTERS_PER_TURN) {
    parser.write(text.slice(at, at + CHARACTERS_PER_TURN))
    await turn()
  }
  parser.close()
  return reader.statement()
}

/** Builds the lines of a statement, with one entry in memory at a time. */
class CamtReader {
  readonly #open: Element[] = []
  readonly #lines: StatementLine[] = []
  readonly #unreadable: UnreadableLine[] = []
  #others = 0
  #entries = 0
  #account: string | null = null

  open(name: string, namespace: string, currency: string): void {
    if (this.#open.length === 0 && !/:camt\.053\.001\.\d\d$/.test(namespace))
      refuseFile('The file is not a CAMT.053 statement. Other reports of the bank, such as CAMT.052, are not final.')
    if (this.#open.length === DEPTH_MAX) refuseFile('The XML has too many levels.')
    this.#open.push({ name, currency, children: [], text: '' })
  }

  take(text: string): void {
    const element = this.#open.at(-1)
    if (element && element.text.length < TEXT_MAX) element.text += text
  }

  close(): void {
    const element = this.#open.pop()!
    const parent = this.#open.at(-1)
    if (parent?.name !== 'Stmt') parent?.children.push(element)
    else if (element.name === 'Acct') this.#account = accountOf(element)
    else if (element.name === 'Ntry') this.#takeEntry(element)
    if (element.name === 'Stmt') this.#account = null
  }

  statement(): Statement {
    return { lines: this.#lines, unreadable: this.#unreadable, others: this.#others }
  }

  #takeEntry(entry: Element): void {
    this.#entries += 1
    const position = this.#entries
    if (!isReceived(entry)) {
      this.#others += 1
      return
    }
    const lines = linesOf(entry, { position, account: this.#account })
    if (lines === null) this.#unreadable.push({ position, problem: 'The entry has no readable date or amount.' })
    else this.#lines.push(...lines)
    if (this.#lines.length + this.#unreadable.length > STATEMENT_LINES_MAX)
      refuseFile(`The file has more than ${STATEMENT_LINES_MAX} lines. Export a shorter period.`)
  }
}

function accountOf(account: Element): string | null {
  const id = childOf(account, 'Id')
  return textOf(id, 'IBAN') || textOf(id, 'Othr', 'Id') || null
}

/** Whether an entry is a booked credit. A reversal is not: it cancels an earlier entry. */
function isReceived(entry: Element): boolean {
  const status = textOf(entry, 'Sts', 'Cd') || textOf(entry, 'Sts')
  const isReversal = ['true', '1'].includes(textOf(entry, 'RvslInd'))
  return status === 'BOOK' && textOf(entry, 'CdtDbtInd') === 'CRDT' && !isReversal
}

/** The transfers of an entry: a bank may book several as one. `null` if it has no date or amount. */
function linesOf(entry: Element, place: Pick<StatementLine, 'position' | 'account'>): readonly StatementLine[] | null {
  const bookedOn = dateOf(childOf(entry, 'BookgDt') ?? childOf(entry, 'ValDt'))
  const money = moneyOf(childOf(entry, 'Amt'))
  if (bookedOn === null || money === null) return null
  const transfers = childrenOf(entry, 'NtryDtls').flatMap((details) => childrenOf(details, 'TxDtls'))
  const amounts = transfers.map((transfer) =>
    moneyOf(childOf(transfer, 'Amt') ?? childOf(childOf(childOf(transfer, 'AmtDtls'), 'TxAmt'), 'Amt')),
  )
  const isSplit =
    transfers.length > 1 &&
    amounts.every((each) => each?.currency === money.currency) &&
    sum(amounts.map((each) => each!.amount)) === money.amount
  const entryId = textOf(entry, 'AcctSvcrRef') || textOf(entry, 'NtryRef')
  if (!isSplit) {
    const purpose = [...transfers.map(purposeOf), textOf(entry, 'AddtlNtryInf')].filter(Boolean).join(' ')
    const payer = [...new Set(transfers.map(payerOf))].join(', ')
    return [{ ...place, ...money, bookedOn, purpose: short(purpose), payer: short(payer), bankId: short(entryId) }]
  }
  return transfers.map((transfer, index) => ({
    ...place,
    ...amounts[index]!,
    bookedOn,
    purpose: short(purposeOf(transfer)),
    payer: short(payerOf(transfer)),
    bankId: short(textOf(transfer, 'Refs', 'AcctSvcrRef') || entryId),
  }))
}

function dateOf(element: Element | undefined): string | null {
  const date = (textOf(element, 'Dt') || textOf(element, 'DtTm')).slice(0, 10)
  return /^\d{4}-\d\d-\d\d$/.test(date) && isDate(date) ? date : null
}

function moneyOf(element: Element | undefined): Pick<StatementLine, 'amount' | 'currency'> | null {
  if (!element || !isCurrency(element.currency)) return null
  const { currency } = element
  // CAMT allows five decimals, whatever the currency has.
  const amount = minorOf(
    element.text
      .trim()
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, ''),
    currency,
  )
  return amount !== null && amount > 0n ? { amount, currency } : null
}

/** The text of the payer, and the references that a bank may have instead. */
function purposeOf(transfer: Element): string {
  const remittance = childOf(transfer, 'RmtInf')
  const texts = childrenOf(remittance, 'Ustrd').map(({ text }) => text.trim())
  const structured = childrenOf(remittance, 'Strd').map((each) => textOf(each, 'CdtrRefInf', 'Ref'))
  const endToEnd = textOf(transfer, 'Refs', 'EndToEndId')
  const others = [endToEnd === 'NOTPROVIDED' ? '' : endToEnd, textOf(transfer, 'AddtlTxInf')]
  return [...texts, ...structured, ...others].filter(Boolean).join(' ')
}

function payerOf(transfer: Element): string {
  const debtor = childOf(childOf(transfer, 'RltdPties'), 'Dbtr')
  return textOf(debtor, 'Nm') || textOf(debtor, 'Pty', 'Nm')
}

function childOf(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name)
}

function childrenOf(element: Element | undefined, name: string): readonly Element[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

/** The text of an element below; empty if there is none. */
function textOf(element: Element | undefined, ...path: readonly string[]): string {
  return path.reduce(childOf, element)?.text.trim() ?? ''
}

function short(text: string): string {
  return text.slice(0, 500)
}
