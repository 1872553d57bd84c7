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
import type { PricingInput, PricingRules } from './types.ts'

/** Whose rules are wanted, for which cart. */
export interface RuleQuestion {
  readonly storeIds: readonly string[]
  readonly code: string | null
  readonly environment: Environment
  readonly customerId: string | null
  /** The revision of a subject as this process knows it. */
  readonly revisionOf: RevisionOf
}

/** What pricing needs beside the cart itself. */
export type PricingFacts = Pick<PricingInput, 'promotions' | 'rules'> & Required<Pick<PricingInput, 'usage'>>

interface OwnersRules extends PricingRules {
  readonly automatic: readonly Promotion[]
}

type RevisionOf = (subject: string) => string

/** By owner, or by owner and code. */
type Snapshots<Value> = LRUCache<string, { readonly revision: string; readonly value: Value }>

/** Stores whose rules one process keeps. A store's rules take some ten KiB. */
const OWNERS_MAX = 1_000
/** Codes that one process remembers, wrong ones included: whoever guesses codes pushes out codes, not memory. */
const CODES_MAX = 10_000

/**
 * The rules of stores as one process last read them, each good as long as the revision of its `rules/<storeId>`.
 * A warm cart costs no query here, but one where a promotion with a usage limit is in play.
 */
export class RuleSnapshots {
  readonly #rules: Snapshots<OwnersRules> = new LRUCache({ max: OWNERS_MAX })
  readonly #codes: Snapshots<readonly Promotion[]> = new LRUCache({ max: CODES_MAX })

  /** The promotions, tax and shipping tables that concern the stores. */
  async load(reader: Reader, question: RuleQuestion): Promise<PricingFacts> {
    const { code, environment, customerId, revisionOf } = question
    const owners = [MARKETPLACE, ...new Set(question.storeIds)]
    const [rules, ofCode] = await Promise.all([
      this.#rulesOf(reader, owners, revisionOf),
      code === null ? [] : this.#promotionsOf(reader, code, owners, revisionOf),
    ])
    const promotions = [...rules.flatMap((each) => each.automatic), ...ofCode.flat()]
    const limited = promotions.filter((each) => each.usageLimit !== null || each.usageLimitPerCustomer !== null)
    const promotionIds = limited.map((each) => each.id)
    return {
      promotions,
      usage: await loadPromotionUsage(reader, { promotionIds, environment, customerId }),
      rules: {
        taxRates: rules.flatMap((each) => each.taxRates),
        shippingZones: rules.flatMap((each) => each.shippingZones),
      },
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
        taxRates: rules.taxRates.filter((each) => each.storeId === owner),
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

/** What each owner has: from its snapshot where that is fresh, and all others loaded at once. */
async function throughSnapshots<Value>(
  snapshots: Snapshots<Value>,
  owners: readonly string[],
  { revisionOf, keyOf }: { readonly revisionOf: RevisionOf; readonly keyOf: (owner: string) => string },
  load: (missing: readonly string[]) => Promise<(owner: string) => Value>,
): Promise<Value[]> {
  // The revision is looked at before the read that it stands for: a change in between is read twice, never missed.
  const held = owners.map((owner) => {
    const revision = revisionOf(rulesSubject(owner))
    const snapshot = snapshots.get(keyOf(owner))
    return { owner, revision, snapshot: snapshot?.revision === revision ? snapshot : null }
  })
  const missing = held.filter(({ snapshot }) => !snapshot).map(({ owner }) => owner)
  if (missing.length === 0) return held.map(({ snapshot }) => snapshot!.value)

  const ownedBy = await load(missing)
  return held.map(({ owner, revision, snapshot }) => {
    if (snapshot) return snapshot.value
    const value = ownedBy(owner)
    snapshots.set(keyOf(owner), { revision, value })
    return value
  })
}

function ownerOf({ storeId }: Promotion): string {
  return storeId ?? MARKETPLACE
}
