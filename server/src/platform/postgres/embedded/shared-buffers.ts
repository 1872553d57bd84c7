import { totalmem } from 'node:os'

/**
 * A quarter of the memory, up to 1 GB, which is taken as it fills: with 500,000 products the words of all fit, and a search takes half of
 * the time.
 */
const SHARED_BUFFERS_MB = { min: 128, max: 1024 }

export function sharedBuffersMb(): number {
  // The limit of a container; 0 or more than there is where it has none.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  const { min, max } = SHARED_BUFFERS_MB
  return Math.min(max, Math.max(min, Math.floor(bytes / 4 / 2 ** 20)))
}
