/**
 * Thrown if work needs an answer from an external service, such as a tax provider. The transaction is rolled back, so that no
 * connection waits for the answer, and runs again once it is known.
 *
 * @see docs/decisions/0133-ask-a-tax-provider.md
 */
export class AskFirst extends Error {
  override readonly name = 'AskFirst'
  /** Asks, and caches the answer, or that there was none. Rejects for bugs only. */
  readonly ask: () => Promise<void>

  constructor(ask: () => Promise<void>) {
    super('an answer from outside is needed first')
    this.ask = ask
  }
}

/** The question may change between two runs. More rounds than this are a bug. */
export const ASKED_MAX = 5

/** Runs reads that may need an answer from an external service. They hold no connection while they wait. */
export async function askingFirst<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let asked = 0; ; asked += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AskFirst) || asked === ASKED_MAX) throw error
      await error.ask()
    }
  }
}
