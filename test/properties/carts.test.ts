// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../support/client.ts'
import { CARTS, type CartBody, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { runsOf } from '../support/runs.ts'
import type { InstallationClient } from '../support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

/** The model of a cart: units by SKU in line order, and a version. */
interface Model {
  units: Map<string, number>
  version: number
  code: string | null
  revoked: boolean
}

interface Real {
  readonly cartId: string
}

/** The SKUs of the shop, with their limits and prices. */
const SKUS: Readonly<
  Record<string, { readonly price: number; readonly max: number; readonly takes: (units: number) => boolean }>
> = {
  MUG: { price: 1254, max: 999, takes: (units) => units <= 500 },
  VASE: { price: 8900, max: 999, takes: (units) => units <= 3 },
  CUP: { price: 700, max: 10, takes: (units) => units % 2 === 0 },
  NOVEL: { price: 1100, max: 999, takes: (units) => units <= 20 },
}
const CODES = ['MUG', 'VASE', 'CUP', 'NOVEL'] as const

/** The expected result for a total quantity of a SKU. */
function expectedFor(code: string, units: number): string {
  const { max, takes } = SKUS[code]!
  if (units > max) return 'quantity_exceeded'
  if (takes(units)) return 'done'
  return code === 'CUP' ? 'quantity_invalid' : 'out_of_stock'
}

abstract class CartCommand implements fc.AsyncCommand<Model, Real> {
  abstract readonly says: string
  /** The response the model expects. */
  abstract expected(model: Readonly<Model>): string
  abstract apply(model: Model): void
  abstract send(path: string): Promise<Answer>

  check(): boolean {
    return true
  }

  async run(model: Model, { cartId }: Real): Promise<void> {
    const expected = model.revoked ? 'cart_revoked' : this.expected(model)
    const answer = await this.send(`${CARTS}/${cartId}`)
    assert.equal(answer.body.code ?? 'done', expected, answer.text)
    if (expected === 'done') {
      this.apply(model)
      model.version += 1
    }
    await assertSame(model, cartId)
  }

  toString(): string {
    return this.says
  }
}

class Add extends CartCommand {
  readonly says: string
  readonly code: string
  readonly quantity: number

  constructor(code: string, quantity: number) {
    super()
    this.code = code
    this.quantity = quantity
    this.says = `add ${quantity} ${code}`
  }

  #sum(model: Readonly<Model>): number {
    return (model.units.get(this.code) ?? 0) + this.quantity
  }

  expected(model: Readonly<Model>): string {
    return expectedFor(this.code, this.#sum(model))
  }

  apply(model: Model): void {
    model.units.set(this.code, this.#sum(model))
  }

  send(path: string): Promise<Answer> {
    return client.post(`${path}/items`, { skuId: shop.sku(this.code), quantity: this.quantity })
  }
}

class SetQuantity extends CartCommand {
  readonly says: string
  readonly code: string
  readonly quantity: number

  constructor(code: string, quantity: number) {
    super()
    this.code = code
    this.quantity = quantity
    this.says = `set ${code} to ${quantity}`
  }

  expected(model: Readonly<Model>): string {
    return model.units.has(this.code) ? expectedFor(this.code, this.quantity) : 'not_found'
  }

  apply(model: Model): void {
    model.units.set(this.code, this.quantity)
  }

  send(path: string): Promise<Answer> {
    return client.patch(`${path}/items/${shop.sku(this.code)}`, { quantity: this.quantity })
  }
}

class Remove extends CartCommand {
  readonly says: string
  readonly code: string

  constructor(code: string) {
    super()
    this.code = code
    this.says = `remove ${code}`
  }

  expected(model: Readonly<Model>): string {
    return model.units.has(this.code) ? 'done' : 'not_found'
  }

  apply(model: Model): void {
    model.units.delete(this.code)
  }

  send(path: string): Promise<Answer> {
    return client.delete(`${path}/items/${shop.sku(this.code)}`)
  }
}

class Clear extends CartCommand {
  readonly says = 'clear'

  expected(): string {
    return 'done'
  }

  apply(model: Model): void {
    model.units.clear()
  }

  send(path: string): Promise<Answer> {
    return client.post(`${path}/clear`, {})
  }
}

class Apply extends CartCommand {
  readonly says = 'apply SUMMER15'

  /** The first store's code: inapplicable without a line of that store. */
  expected({ units }: Readonly<Model>): string {
    const isEligible = [...units.keys()].some((code) => code !== 'NOVEL')
    return isEligible ? 'done' : 'promotion_inapplicable'
  }

  apply(model: Model): void {
    model.code = 'SUMMER15'
  }

  send(path: string): Promise<Answer> {
    return client.put(`${path}/promotion`, { code: 'SUMMER15' })
  }
}

class Withdraw extends CartCommand {
  readonly says = 'remove the code'

  expected(): string {
    return 'done'
  }

  apply(model: Model): void {
    model.code = null
  }

  send(path: string): Promise<Answer> {
    return client.delete(`${path}/promotion`, {})
  }
}

class Revoke extends CartCommand {
  readonly says = 'revoke'

  expected(): string {
    return 'done'
  }

  apply(model: Model): void {
    model.revoked = true
  }

  send(path: string): Promise<Answer> {
    return client.post(`${path}/revoke`, {})
  }
}

/** Response, database and model agree. */
async function assertSame(model: Readonly<Model>, cartId: string): Promise<void> {
  const { body } = await client.get(`${CARTS}/${cartId}`)
  const cart: CartBody = body.data
  const wanted = [...model.units].map(([code, quantity]) => ({ skuId: shop.sku(code), quantity }))
  assert.deepEqual(
    cart.lines.map(({ skuId, quantity }: CartBody) => ({ skuId, quantity })),
    wanted,
  )
  assert.deepEqual([cart.version, cart.status], [model.version, model.revoked ? 'revoked' : 'active'])
  assert.equal(cart.promotion.code, model.code ?? undefined)

  const rows = await shop.query(
    `select sku_id as "skuId", quantity, position from cart_lines where cart_id = $1 order by position`,
    [cartId],
  )
  assert.deepEqual(
    rows,
    wanted.map((line, index) => ({ ...line, position: index + 1 })),
  )

  const { totals, lines, selectedShipping } = cart
  const sum = (amounts: readonly CartBody[]) => amounts.reduce((total, { amount }) => total + amount, 0)
  const subtotal = [...model.units].reduce((total, [code, units]) => total + SKUS[code]!.price * units, 0)
  assert.equal(totals.itemsSubtotal.amount, subtotal)
  const shown = [...lines, ...selectedShipping]
  assert.equal(totals.total.amount, sum(shown.map((part: CartBody) => part.total)), 'the total is the sum of its parts')
  const allocations = lines.flatMap((line: CartBody) => line.discountAllocations)
  assert.equal(totals.itemsDiscount.amount, sum(allocations.map((each: CartBody) => each.amount)))
  assert.ok(
    shown.every((part: CartBody) => part.total.amount >= 0),
    'nothing is negative',
  )
}

const commands = fc.commands(
  [
    fc.tuple(fc.constantFrom(...CODES), fc.integer({ min: 1, max: 6 })).map(([code, units]) => new Add(code, units)),
    fc
      .tuple(fc.constantFrom(...CODES), fc.integer({ min: 1, max: 12 }))
      .map(([code, units]) => new SetQuantity(code, units)),
    fc.constantFrom(...CODES).map((code) => new Remove(code)),
    fc.constant(new Clear()),
    fc.constant(new Apply()),
    fc.constant(new Withdraw()),
    fc.constant(new Revoke()),
  ],
  { maxCommands: 25 },
)

describe('a cart', () => {
  test('matches its model after every command', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const { id } = await cartOf(shop, client)
        const setup = () => ({
          model: { units: new Map<string, number>(), version: 1, code: null, revoked: false },
          real: { cartId: id },
        })
        await fc.asyncModelRun(setup, sequence)
      }),
      { numRuns: runsOf({ full: 60, short: 20 }) },
    )
  })

  test('costs the same in any order of adds', async () => {
    const units = fc.array(fc.tuple(fc.constantFrom('MUG', 'NOVEL'), fc.integer({ min: 1, max: 4 })), {
      minLength: 2,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(units, async (adds) => {
        const totals: CartBody[] = []
        for (const order of [adds, [...adds].reverse()]) {
          const { id } = await cartOf(shop, client)
          let last: CartBody
          for (const [code, quantity] of order) {
            last = (await client.post(`${CARTS}/${id}/items`, { skuId: shop.sku(code), quantity })).body.data.totals
          }
          totals.push({ ...last, byStore: [...last.byStore].sort((a, b) => (a.storeId < b.storeId ? -1 : 1)) })
        }
        assert.deepEqual(totals[0], totals[1])
      }),
      { numRuns: runsOf({ full: 20, short: 8 }) },
    )
  })
})
