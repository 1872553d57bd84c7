/** What a registry says about a VAT number. */
export type VatAnswer =
  | {
      readonly outcome: 'valid'
      /** As registered; `null`: the member state does not tell. */
      readonly name: string | null
      readonly address: string | null
      readonly consultationNumber: string | null
    }
  | { readonly outcome: 'invalid'; readonly consultationNumber: string | null }
  /** The registry could not be reached, or could not ask the member state. */
  | { readonly outcome: 'unanswered'; readonly reason: string }

/** A registry of VAT numbers. */
export interface VatRegistry {
  /** Asks about a number in its tidy form, such as `ATU13585627`. Never throws. */
  check(vatId: string): Promise<VatAnswer>
}
