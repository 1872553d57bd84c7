/** A page that is written in Markdown. */
export interface WrittenPage {
  /** Its file in the repository. */
  readonly source: string
  /** Its file on the site. */
  readonly path: string
  /** Its label in the menu; by default its heading. */
  readonly label?: string
}

export interface Group {
  readonly title: string
  readonly pages: readonly WrittenPage[]
}

const guide = (name: string, label?: string): WrittenPage => ({
  source: `docs/guides/${name}.md`,
  path: `guides/${name}.html`,
  ...(label && { label }),
})
const concept = (name: string, label?: string): WrittenPage => ({
  source: `docs/concepts/${name}.md`,
  path: `concepts/${name}.html`,
  ...(label && { label }),
})

/** The written pages in the order of the menu. The reference follows after the concepts. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      { source: 'docs/start.md', path: 'index.html', label: 'Quickstart' },
      { source: 'sdk/README.md', path: 'sdk.html', label: 'TypeScript SDK' },
      guide('curl', 'curl'),
      guide('python', 'Python'),
      guide('php', 'PHP'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      guide('first-quote', 'First quote'),
      guide('retries', 'Retries and idempotency'),
      guide('hosted-checkout', 'Hosted checkout'),
      guide('verifying-webhooks', 'Webhooks'),
      guide('returns', 'Cancellations and returns'),
      guide('search', 'Search'),
      guide('store-access', 'Store access'),
      guide('pkce-and-dpop', 'OAuth, PKCE and DPoP'),
      guide('testing', 'Testing'),
      guide('stripe', 'Stripe'),
      guide('going-live', 'Going live'),
    ],
  },
  {
    title: 'Concepts',
    pages: [
      concept('carts-and-quotes', 'Carts and quotes'),
      concept('money', 'Money'),
      concept('exactly-once', 'Exactly once'),
      concept('webhooks', 'Webhook delivery'),
      concept('canceling-and-returns', 'Cancellations and after-sales'),
      concept('mails-to-shoppers', 'Email to shoppers'),
      concept('scale', 'Scale'),
    ],
  },
]

/** What follows the reference in the menu. */
export const LATER_GROUPS: readonly Group[] = [
  {
    title: 'Operations manual',
    pages: [
      { source: 'docs/configuration.md', path: 'configuration.html', label: 'Configuration' },
      guide('production', 'Production'),
      guide('cluster', 'Cluster'),
      { source: 'docs/command-line.md', path: 'command-line.html', label: 'Command line' },
      { source: 'docs/observability/README.md', path: 'observability.html', label: 'Metrics, logs and traces' },
      { source: 'docs/reference/catalog-lines.md', path: 'catalog-lines.html', label: 'Catalog import' },
      { source: 'docs/reference/order-lines.md', path: 'order-lines.html', label: 'Order import' },
    ],
  },
  {
    title: 'Runbooks',
    pages: [
      { source: 'docs/runbooks/README.md', path: 'runbooks/index.html', label: 'Overview' },
      ...[
        'attack',
        'database-away',
        'down',
        'key-leak',
        'poison-webhook',
        'proxies',
        'queue-behind',
        'restore',
        'stuck-payment',
      ].map((name) => ({ source: `docs/runbooks/${name}.md`, path: `runbooks/${name}.html` })),
    ],
  },
]

/** Pages of the reference that are not about one operation. */
export const REFERENCE_PAGES: readonly WrittenPage[] = [
  { source: 'docs/reference/rules.md', path: 'reference/rules.html', label: 'Rules' },
  { source: 'docs/reference/compatibility.md', path: 'reference/compatibility.html', label: 'Compatibility' },
  { source: 'docs/reference/refusals.md', path: 'reference/refusals.html', label: 'Refusals' },
  { source: 'docs/reference/events.md', path: 'reference/events.html', label: 'Events' },
  { source: 'docs/reference/supply-chain.md', path: 'reference/supply-chain.html', label: 'Supply chain' },
  { source: 'docs/reference/asvs.md', path: 'reference/asvs.html', label: 'ASVS 5.0' },
]

/** Every written page by its file in the repository. */
export const WRITTEN: ReadonlyMap<string, WrittenPage> = new Map(
  [...GROUPS.flatMap(({ pages }) => pages), ...REFERENCE_PAGES, ...LATER_GROUPS.flatMap(({ pages }) => pages)].map(
    (page) => [page.source, page],
  ),
)
