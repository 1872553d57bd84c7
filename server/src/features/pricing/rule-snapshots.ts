import { LRUCache } from 'lru-cache'
import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import {
  loadAutomaticPromotions,
  loadPromotionsByCode,
  loadPromotionUsage,
  MARKETPLACE,
  type Promotion,
  rulesSubject,
} from '../promotions/index.ts'
import { loadPricingRules } from './rule-store.ts'
import type { TaxAnswers } from './tax-provider/tax-answers.ts'
import type { PricingInput, PricingRules, ProvidedTaxSource, TaxRate, TaxSource } from './types.ts'
import { isVatIdRefused as isRefused } from './vat-registry/checks.ts'

/** The stores whose rules to load, and the facts of the cart that select them. */
interface RuleQuery {
  readonly storeIds: readonly string[]
  /** ISO 3166-1 alpha-2: the country of the tax rates. */
  readonly country: string
  readonly code: string | null
  readonly environment: Environment
  readonly customerId: string | null
  /** The buyer's VAT number. */
  readonly vatId?: string | null
  /** The latest revision of a subject that this process knows. */
  readonly revisionOf: RevisionOf
}

/** The rules and facts that pricing needs besides the cart. */
export type PricingFacts = Pick<PricingInput, 'promotions' | 'rules'> &
  Required<Pick<PricingInput, 'usage'>> & {
    /** Whether a registry does not know the buyer's VAT number. */
    readonly isVatIdRefused: boolean
    /** `null`: all of the stores use their tables. */
    readonly providedTax: ProvidedTaxSource | null
    /** Changes with the promotions and the rules. */
    readonly revision: string
  }

interface OwnersRules extends Required<Pick<PricingRules, 'shippingZones' | 'taxSchemes' | 'taxSources'>> {
  readonly automatic: readonly Promotion[]
  /** Keyed by country: a store that ships everywhere has hundreds of rates. */
  readonly taxRates: ReadonlyMap<string, readonly TaxRate[]>
}

type RevisionOf = (subject: string) => string

/** Keyed by owner, or by owner and code. */
type Snapshots<Value> = LRUCache<string, { readonly revision: string; readonly value: Value }>

/** Owners cached per process. A store's rules take about 10 KiB. */
const OWNERS_MAX = 1_000
/** Codes cached per process, unknown ones included: guessing evicts entries but does not grow memory. */
const CODES_MAX = 10_000

interface SnapshotsDeps {
  readonly checksVatIds?: boolean
  readonly taxAnswers?: TaxAnswers | null
}

/**
 * In-process cache of stores' rules, valid while the revision of `rules/<storeId>` is unchanged. A cached cart costs no
 * query, or one if a promotion has a usage limit.
 */
export class RuleSnapshots {
  readonly #rules: Snapshots<OwnersRules> = new LRUCache({ max: OWNERS_MAX })
  readonly #codes: Snapshots<readonly Promotion[]> = new LRUCache({ max: CODES_MAX })

  readonly #checksVatIds: boolean
  readonly #taxAnswers: TaxAnswers | null

  /**
   * @param checksVatIds whether VAT numbers are checked with a registry: a cart with a VAT number then costs a query
   * @param taxAnswers the answers of tax providers; `null`: all stores use their tables
   */
  constructor({ checksVatIds = false, taxAnswers = null }: SnapshotsDeps = {}) {
    this.#checksVatIds = checksVatIds
    this.#taxAnswers = taxAnswers
  }

  /** Load the promotions, tax and shipping tables of the stores. */
  async load(reader: Reader, query: RuleQuery): Promise<PricingFacts> {
    const { code, country, environment, customerId, vatId = null, revisionOf } = query
    const owners = [MARKETPLACE, ...new Set(query.storeIds)]
    const revision = owners.map((owner) => revisionOf(rulesSubject(owner))).join()
    const [rules, ofCode, isVatIdRefused] = await Promise.all([
      this.#rulesOf(reader, owners, revisionOf),
      code === null ? [] : this.#promotionsOf(reader, code, owners, revisionOf),
      vatId !== null && this.#checksVatIds && isRefused(reader, vatId),
    ])
    const promotions = [...rules.flatMap((each) => each.automatic), ...ofCode.flat()]
    const limited = promotions.filter((each) => each.usageLimit !== null || each.usageLimitPerCustomer !== null)
    const promotionIds = limited.map((each) => each.id)
    return {
      revision,
      isVatIdRefused,
      providedTax: this.#providedTaxOf(
        rules.flatMap((each) => each.taxSources),
        environment,
      ),
      promotions,
      usage: await loadPromotionUsage(reader, { promotionIds, environment, customerId }),
      rules: {
        taxRates: rules.flatMap((each) => ratesOf(each, country)),
        taxSchemes: rules.flatMap((each) => each.taxSchemes),
        shippingZones: rules.flatMap((each) => each.shippingZones),
      },
    }
  }

  #providedTaxOf(sources: readonly TaxSource[], environment: Environment): ProvidedTaxSource | null {
    const answers = this.#taxAnswers
    if (answers === null || sources.length === 0) return null
    const providerOf = new Map(sources.map(({ storeId, provider }) => [storeId, provider]))
    return {
      isOf: (storeId) => providerOf.has(storeId),
      replyTo: (request, now) => answers.replyTo(providerOf.get(request.storeId)!, { ...request, environment }, now),
    }
  }

  #rulesOf(reader: Reader, owners: readonly string[], revisionOf: RevisionOf): Promise<OwnersRules[]> {
    return throughSnapshots(this.#rules, owners, { revisionOf, keyOf: (owner) => owner }, async (missing) => {
      const [automatic, rules] = await Promise.all([
        loadAutomaticPromotions(reader, missing),
        loadPricingRules(reader, missing),
      ])
      return (owner) => ({
        automatic: automatic.filter((each) => ownerOf(each) === owner),
        taxRates: Map.groupBy(
          rules.taxRates.filter((each) => each.storeId === owner),
          ({ country }) => country,
        ),
        taxSchemes: rules.taxSchemes.filter((each) => each.storeId === owner),
        taxSources: rules.taxSources.filter((each) => each.storeId === owner),
        shippingZones: rules.shippingZones.filter((each) => each.storeId === owner),
      })
    })
  }

  #promotionsOf(
    reader: Reader,
    code: string,
    owners: readonly string[],
    revisionOf: RevisionOf,
  ): Promise<(readonly Promotion[])[]> {
    const keyOf = (owner: string) => `${owner} ${code.toUpperCase()}`
    return throughSnapshots(this.#codes, owners, { revisionOf, keyOf }, async (missing) => {
      const found = await loadPromotionsByCode(reader, code, missing)
      return (owner) => found.filter((each) => ownerOf(each) === owner)
    })
  }
}

/** The rates of the destination, and under the `origin` scheme those of the seller's country. */
function ratesOf({ taxRates, taxSchemes }: OwnersRules, country: string): readonly TaxRate[] {
  const homes = taxSchemes.filter(({ kind }) => kind === 'origin').map((scheme) => scheme.country)
  return [...new Set([country, ...homes])].flatMap((each) => taxRates.get(each) ?? [])
}

/** The value of each owner, from its snapshot if that is current. The others are loaded together. */
async function throughSnapshots<Value>(
  snapshots: Snapshots<Value>,
  owners: readonly string[],
  { revisionOf, keyOf }: { readonly revisionOf: RevisionOf; readonly keyOf: (owner: string) => string },
  load: (missing: readonly string[]) => Promise<(owner: string) => Value>,
): Promise<Value[]> {
  // Take the revision before the read, so that a change in between is read again, not missed.
  const cached = owners.map((owner) => {
    const revision = revisionOf(rulesSubject(owner))
    const snapshot = snapshots.get(keyOf(owner))
    return { owner, revision, snapshot: snapshot?.revision === revision ? snapshot : null }
  })
  const missing = cached.filter(({ snapshot }) => !snapshot).map(({ owner }) => owner)
  if (missing.length === 0) return cached.map(({ snapshot }) => snapshot!.value)

  const ownedBy = await load(missing)
  return cached.map(({ owner, revision, snapshot }) => {
    if (snapshot) return snapshot.value
    const value = ownedBy(owner)
    snapshots.set(keyOf(owner), { revision, value })
    return value
  })
}

function ownerOf({ storeId }: Promotion): string {
  return storeId ?? MARKETPLACE
}
