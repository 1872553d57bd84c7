import type { Both } from './facts.ts'

type Amounts = Readonly<Record<'EUR' | 'USD', bigint>>
type Phase = 'line' | 'order' | 'shipping'

/** Products and categories by their slugs. */
export interface DemoSelection {
  readonly products?: readonly string[]
  readonly categories?: readonly string[]
}

/** A promotion as its store thinks of it: slugs instead of ids, days from the day of loading instead of dates. */
export interface DemoPromotion {
  readonly title: Both
  /** Absent: automatic. */
  readonly code?: string
  /** Absent: the marketplace's. */
  readonly store?: string
  /** The marketplace's alone: the stores that take part. */
  readonly stores?: readonly string[]
  readonly effect:
    | { readonly kind: 'percentage'; readonly target: Phase; readonly rate: string }
    | { readonly kind: 'fixed_amount'; readonly target: Phase; readonly amounts: Amounts }
    | {
        readonly kind: 'buy_x_get_y'
        readonly buyQuantity: number
        readonly getQuantity: number
        readonly rate: string
        readonly gets?: DemoSelection
        readonly setsMax?: number
      }
    | { readonly kind: 'free_shipping' }
  readonly lines?: DemoSelection
  readonly minimum?: Amounts
  readonly knownCustomers?: true
  readonly startsInDays?: number
  readonly endsInDays?: number
  readonly usageLimit?: number
  readonly usageLimitPerCustomer?: number
  readonly priority?: number
  readonly combinesWith?: readonly Phase[]
  readonly stopAfter?: true
  readonly paused?: true
}

const ALL: readonly Phase[] = ['line', 'order', 'shipping']

export const promotions: readonly DemoPromotion[] = [
  // Automatic
  {
    title: ['Four for three: mugs and cups', 'Vier für drei: Becher & Tassen'],
    store: 'havelton',
    effect: { kind: 'buy_x_get_y', buyQuantity: 3, getQuantity: 1, rate: '1' },
    lines: { categories: ['mugs-and-cups'] },
    combinesWith: ALL,
    priority: 10,
  },
  {
    title: ['A tea towel at half price with a board', 'Zum Brett ein Geschirrtuch zum halben Preis'],
    store: 'havelton',
    effect: {
      kind: 'buy_x_get_y',
      buyQuantity: 1,
      getQuantity: 1,
      rate: '0.5',
      gets: { products: ['checked-tea-towel', 'striped-tea-towel'] },
      setsMax: 2,
    },
    lines: { products: ['oak-board', 'walnut-board', 'bread-board-knife'] },
    combinesWith: ALL,
    priority: 20,
  },
  {
    title: ['Two pairs of socks, the third is ours', 'Zwei Paar Socken, das dritte geht auf uns'],
    store: 'saumpfad',
    effect: { kind: 'buy_x_get_y', buyQuantity: 2, getQuantity: 1, rate: '1', setsMax: 1 },
    lines: { products: ['hike-socks', 'house-socks', 'everyday-socks'] },
    combinesWith: ALL,
  },
  {
    title: ['Wool weeks: 10 % off knitwear', 'Wollwochen: 10 % auf Strick'],
    store: 'saumpfad',
    effect: { kind: 'percentage', target: 'line', rate: '0.1' },
    lines: { categories: ['knitwear'] },
    startsInDays: -14,
    endsInDays: 60,
    combinesWith: ALL,
    stopAfter: true,
  },
  {
    title: ['Postage on us for large orders', 'Große Bestellungen versandfrei'],
    effect: { kind: 'free_shipping' },
    minimum: { EUR: 12_000n, USD: 13_000n },
    combinesWith: ['line', 'order'],
    // Before what takes less off the same postage.
    priority: 50,
  },
  {
    title: ['A little off the postage', 'Etwas weniger Versandkosten'],
    store: 'saumpfad',
    effect: { kind: 'fixed_amount', target: 'shipping', amounts: { EUR: 300n, USD: 330n } },
    minimum: { EUR: 6_000n, USD: 6_500n },
    combinesWith: ['line', 'order'],
  },
  // With a code
  {
    title: ['Welcome: 10 % off your order', 'Willkommen: 10 % auf die Bestellung'],
    code: 'WELCOME10',
    effect: { kind: 'percentage', target: 'order', rate: '0.1' },
    usageLimit: 1000,
    combinesWith: ALL,
  },
  {
    title: ['Pots and paper: a fiver off', 'Töpfe und Papier: ein Fünfer weniger'],
    code: 'FIVE',
    stores: ['havelton', 'quire-and-crema'],
    effect: { kind: 'fixed_amount', target: 'order', amounts: { EUR: 500n, USD: 550n } },
    minimum: { EUR: 4_000n, USD: 4_400n },
    combinesWith: ALL,
  },
  {
    title: ['Coffee days: less for each bag', 'Kaffeetage: jede Tüte günstiger'],
    code: 'BEANS2',
    store: 'quire-and-crema',
    effect: { kind: 'fixed_amount', target: 'line', amounts: { EUR: 200n, USD: 220n } },
    lines: { categories: ['coffee'] },
    combinesWith: ALL,
  },
  {
    title: ['Winter warmth: 15 % off blankets and sleeping bags', 'Winterwärme: 15 % auf Decken und Schlafsäcke'],
    code: 'WINTER15',
    store: 'saumpfad',
    effect: { kind: 'percentage', target: 'line', rate: '0.15' },
    lines: { categories: ['blankets'], products: ['firn-sleeping-bag', 'heu-wool-sleeping-bag'] },
    startsInDays: -30,
    endsInDays: 90,
    combinesWith: ALL,
  },
  {
    title: ['Half the postage', 'Halber Versand'],
    code: 'HALFPOST',
    effect: { kind: 'percentage', target: 'shipping', rate: '0.5' },
    combinesWith: ['line', 'order'],
  },
  {
    title: ['Free postage for pots', 'Töpfe versandfrei'],
    code: 'POSTFREE',
    store: 'havelton',
    effect: { kind: 'free_shipping' },
    usageLimit: 200,
    combinesWith: ['line', 'order'],
  },
  {
    title: ['Regulars: 12 % off', 'Stammkundschaft: 12 %'],
    code: 'REGULAR12',
    effect: { kind: 'percentage', target: 'order', rate: '0.12' },
    knownCustomers: true,
    usageLimitPerCustomer: 3,
    combinesWith: ['shipping'],
  },
  // Codes that answer why not
  {
    title: ['Summer sale: 20 % off tents', 'Sommerschlussverkauf: 20 % auf Zelte'],
    code: 'SUMMER20',
    store: 'saumpfad',
    effect: { kind: 'percentage', target: 'line', rate: '0.2' },
    lines: { categories: ['tents'] },
    startsInDays: -150,
    endsInDays: -60,
  },
  {
    title: ['Spring cleaning: 25 % off storage', 'Frühjahrsputz: 25 % auf Aufbewahrung'],
    code: 'SPRING25',
    store: 'havelton',
    effect: { kind: 'percentage', target: 'line', rate: '0.25' },
    lines: { categories: ['storage'] },
    startsInDays: 90,
    endsInDays: 120,
  },
  {
    title: ['Back to school: 10 % off notebooks', 'Schulanfang: 10 % auf Notizbücher'],
    code: 'SCHOOL10',
    store: 'quire-and-crema',
    effect: { kind: 'percentage', target: 'line', rate: '0.1' },
    lines: { categories: ['notebooks'] },
    paused: true,
  },
]
