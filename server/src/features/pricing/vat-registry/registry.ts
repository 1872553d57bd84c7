/** A registry's answer about a VAT number. */
export type VatAnswer =
  | {
      readonly outcome: 'valid'
      /** As registered; `null` if the member state does not disclose it. */
      readonly name: string | null
      readonly address: string | null
      readonly consultationNumber: string | null
    }
  | { readonly outcome: 'invalid'; readonly consultationNumber: string | null }
  /** The registry could not be reached, or could not ask the member state. */
  | { readonly outcome: 'unanswered'; readonly reason: string }

/** A registry of VAT numbers. */
export interface VatRegistry {
  /** Checks a normalized number, such as `ATU13585627`. Never throws. */
  check(vatId: string): Promise<VatAnswer>
}
