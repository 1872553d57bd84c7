import { setTimeout as pause } from 'node:timers/promises'
import type { Recorder } from '../faults/load.ts'
import type { ShopService } from '../faults/service.ts'

/** The longest time that an answer may take. */
const ANSWER_MS_MAX = 60_000
const PAUSE_MS = 50

/** Reads the catalog from both nodes in turn, each time with a new search that no cache can answer. */
export class CatalogReader {
  /** The end of each read that was answered 200, by `performance.now()`. */
  readonly answeredAt: number[] = []
  readonly #shop: ShopService
  readonly #recorder: Recorder
  #count = 0

  constructor(shop: ShopService, recorder: Recorder) {
    this.#shop = shop
    this.#recorder = recorder
  }

  async read(): Promise<void> {
    this.#count += 1
    const { origin } = this.#shop.nodes[this.#count % 2 === 0 ? 0 : 1]
    const startedAt = performance.now()
    const url = `${origin}/api/v1/search?q=mug${this.#count}`
    const status = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX + 1000) }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    const endedAt = performance.now()
    this.#recorder.reads.push({ status, startedAt, endedAt })
    if (status === 200) this.answeredAt.push(endedAt)
    await pause(PAUSE_MS)
  }
}
