import type { Both } from '../facts.ts'

/** A document of the marketplace, in Markdown. */
export interface DemoLegalDocument {
  readonly type: 'terms_of_use' | 'privacy_policy' | 'return_policy' | 'shipping_policy' | 'cookie_policy' | 'imprint'
  readonly title: Both
  readonly text: Both
}
