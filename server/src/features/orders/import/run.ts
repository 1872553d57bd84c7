import { createHash } from 'node:crypto'
import type { IdSource } from '../../../kernel/ids.ts'
import { canonicalJson } from '../../../kernel/json.ts'
import {
  InvalidLine,
  isInvalidLine,
  type LineReport,
  lineValidator,
  REFUSED_LINES_MAX,
} from '../../../platform/line-files/invalid-line.ts'
import { parseLine, type SourceLine, storable } from '../../../platform/line-files/line-file.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import { type Database, statement, type Transaction } from '../../../platform/postgres/index.ts'
import { type KnownSku, skusByCode, storeIdsBySlug } from '../../catalog/index.ts'
import { type InstallationRow, listInstallations } from '../../installations/index.ts'
import type { Order } from '../order/order.ts'
import { insertOrder } from '../order/store.ts'
import { nextOrderNumber } from '../placing/place.ts'
import { OrderLineForm } from './line-schema.ts'
import { importedOrder } from './map.ts'

/** Orders per transaction. */
const BATCH = 200

export interface OrderImportRequest {
  readonly database: Pick<Database, 'transaction' | 'reader'>
  readonly ids: IdSource
  /** The installation of lines that set none. */
  readonly installationId?: string | undefined
  /** Parsed lines, or one JSON text each. */
  readonly source: Iterable<SourceLine | string> | AsyncIterable<SourceLine | string>
  readonly now: Date
  /** Creates the fulfillment of units that have not shipped yet, in the transaction that inserts the order. */
  readonly beginFulfillment: (tx: Transaction, order: Order, context: EventContext) => void
  /** Called after each batch. */
  readonly onProgress?: (report: LineReport) => void
}

/**
 * Imports orders in batches, one transaction each. An interrupted import can be started again and skips what is imported. An
 * invalid line is reported with its number and reason and affects no other. Orders are frozen: a changed line of a known
 * order is refused. No events are published, because the orders are not new.
 *
 * Throws errors of the source, and database errors that no line caused.
 */
export async function importOrders(request: OrderImportRequest): Promise<LineReport> {
  const { reader } = request.database
  const [installations, storeIds] = await Promise.all([listInstallations(reader), storeIdsBySlug(reader)])
  const run = new OrderImportRun(request, new Map(installations.map((each) => [each.id, each])), storeIds)
  let number = 0
  for await (const line of request.source) {
    number += 1
    await run.take(typeof line === 'string' ? parseLine(number, line) : line)
  }
  return run.finish()
}

interface ReadLine {
  readonly line: number
  readonly form: OrderLineForm
  readonly installation: InstallationRow
  readonly hash: Buffer
}

const known = statement<{ installation_id: string; external_id: string; external_hash: Buffer }>(
  'orders.known',
  `select installation_id, external_id, external_hash from orders
   where external_id = any($1::text[]) and installation_id = any($2::text[])`,
)

class OrderImportRun {
  readonly #request: OrderImportRequest
  readonly #installations: ReadonlyMap<string, InstallationRow>
  readonly #storeIds: ReadonlyMap<string, string>
  readonly #check = lineValidator<OrderLineForm>(OrderLineForm, 'an order line')
  /** SKUs by store and code. `null`: none, or several. */
  readonly #skus = new Map<string, KnownSku | null>()
  readonly #refused: { line: number; reason: string }[] = []
  #read = 0
  #created = 0
  #unchanged = 0
  /** Orders of the next transaction, at most one per external id. */
  #batch = new Map<string, ReadLine>()

  constructor(
    request: OrderImportRequest,
    installations: ReadonlyMap<string, InstallationRow>,
    storeIds: ReadonlyMap<string, string>,
  ) {
    this.#request = request
    this.#installations = installations
    this.#storeIds = storeIds
  }

  async take(source: SourceLine): Promise<void> {
    this.#read += 1
    const line = this.#readLine(source)
    if (line === null) return
    const key = keyOf(line.installation.id, line.form.externalId)
    if (this.#batch.has(key) || this.#batch.size >= BATCH) await this.#flush()
    this.#batch.set(key, line)
  }

  async finish(): Promise<LineReport> {
    await this.#flush()
    return this.#report()
  }

  #report(): LineReport {
    return {
      read: this.#read,
      created: this.#created,
      unchanged: this.#unchanged,
      refused: this.#refused.toSorted((a, b) => a.line - b.line),
    }
  }

  #readLine(source: SourceLine): ReadLine | null {
    if ('problem' in source) return this.#refuse(source.line, source.problem)
    try {
      const value = storable(source.value)
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        throw new InvalidLine('The line is not an object.')
      const form = this.#check(value)
      const id = form.installation ?? this.#request.installationId
      if (id === undefined) throw new InvalidLine('Set installation: the import has none.')
      const installation = this.#installations.get(id)
      if (installation === undefined) throw new InvalidLine(`There is no installation ${id}.`)
      // The hash excludes the installation, which is stored in its own column: either the line or the import may set it.
      const { installation: _, ...content } = form
      return {
        line: source.line,
        form,
        installation,
        hash: createHash('sha256').update(canonicalJson(content)).digest(),
      }
    } catch (error) {
      if (!(error instanceof InvalidLine)) throw error
      return this.#refuse(source.line, error.message)
    }
  }

  #refuse(line: number, reason: string): null {
    if (this.#refused.length < REFUSED_LINES_MAX) this.#refused.push({ line, reason })
    return null
  }

  async #flush(): Promise<void> {
    if (this.#batch.size === 0) return
    const lines = [...this.#batch.values()]
    this.#batch = new Map()
    const fresh = await this.#withoutKnown(lines)
    await this.#lookUpSkus(fresh)
    await this.#writeOrHalve(fresh)
    this.#request.onProgress?.(this.#report())
  }

  async #withoutKnown(lines: readonly ReadLine[]): Promise<readonly ReadLine[]> {
    const rows = await this.#request.database.reader.rows(known, [
      lines.map(({ form }) => form.externalId),
      [...new Set(lines.map(({ installation }) => installation.id))],
    ])
    const hashes = new Map(rows.map((row) => [keyOf(row.installation_id, row.external_id), row.external_hash]))
    return lines.filter(({ line, form, installation, hash }) => {
      const before = hashes.get(keyOf(installation.id, form.externalId))
      if (before === undefined) return true
      if (before.equals(hash)) this.#unchanged += 1
      else
        this.#refuse(
          line,
          `Order ${form.externalId} was imported with other contents. Imported orders cannot be changed.`,
        )
      return false
    })
  }

  async #lookUpSkus(lines: readonly ReadLine[]): Promise<void> {
    const wanted = lines.flatMap(({ form, installation }) =>
      form.lines.flatMap(({ store: slug = form.store, sku: code }) => {
        const storeId = slug === undefined ? installation.store_id : this.#storeIds.get(slug)
        return code === undefined || !storeId || this.#skus.has(keyOf(storeId, code)) ? [] : [{ storeId, code }]
      }),
    )
    if (wanted.length === 0) return
    const storeIds = new Set(wanted.map(({ storeId }) => storeId))
    const codes = new Set(wanted.map(({ code }) => code))
    const found = await skusByCode(this.#request.database.reader, [...storeIds], [...codes])
    const byKey = Map.groupBy(found, ({ storeId, code }) => keyOf(storeId, code))
    for (const { storeId, code } of wanted) {
      const key = keyOf(storeId, code)
      const [sku = null, ...others] = byKey.get(key) ?? []
      this.#skus.set(key, others.length === 0 ? sku : null)
    }
  }

  /** Inserts orders together. If one fails, retries in halves to isolate it. */
  async #writeOrHalve(lines: readonly ReadLine[]): Promise<void> {
    const [first] = lines
    if (first === undefined) return
    try {
      await this.#request.database.transaction((tx) => this.#write(tx, lines))
      this.#created += lines.length
    } catch (error) {
      if (!isInvalidLine(error)) throw error
      if (lines.length === 1) {
        // A concurrent import inserted the order first: treat it as known.
        if (constraintOf(error) === 'orders_external_id_installation_id_key') await this.#withoutKnown(lines)
        else this.#refuse(first.line, reasonOf(error, first.form))
        return
      }
      const middle = Math.ceil(lines.length / 2)
      await this.#writeOrHalve(lines.slice(0, middle))
      await this.#writeOrHalve(lines.slice(middle))
    }
  }

  async #write(tx: Transaction, lines: readonly ReadLine[]): Promise<void> {
    const { ids, now, beginFulfillment } = this.#request
    for (const line of lines) {
      const order = await this.#orderOf(tx, line)
      insertOrder(tx, order, line.hash)
      beginFulfillment(tx, order, { ids, now })
    }
  }

  async #orderOf(tx: Transaction, { form, installation }: ReadLine): Promise<Order> {
    const { ids, now } = this.#request
    const facts = {
      installation,
      storeIds: this.#storeIds,
      findSku: (storeId: string, code: string) => this.#skus.get(keyOf(storeId, code)) ?? undefined,
    }
    return importedOrder(form, facts, {
      id: ids.next('ord'),
      number: form.number ?? (await nextOrderNumber(tx, installation.environment)),
      externalId: form.externalId,
      nextLineId: () => ids.next('oli'),
      nextParcelId: () => ids.next('ful'),
      now,
    })
  }
}

/** The reason for a database error, in terms of the file. */
function reasonOf(error: Error, { number }: OrderLineForm): string {
  const isTaken = constraintOf(error) === 'orders_number_installation_id_key'
  return isTaken ? `/number: ${number} belongs to another order.` : error.message
}

function constraintOf(error: Error): string | undefined {
  return (error as { readonly constraint?: string }).constraint
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\n')
}
