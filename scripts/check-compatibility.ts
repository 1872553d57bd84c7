import { breakingChanges } from './breaking-changes.ts'
import { decidedChanges, judge } from './decided-changes.ts'
import { currentInterface, release, releasedInterface } from './released-interface.ts'

/**
 * Compares the interface with the last released one, and fails for a breaking change that was not decided. With `--release`
 * it records the interface of the tree as the released one.
 *
 * @see docs/reference/compatibility.md
 */

/** More operations than these are counted, not named. */
const OPERATIONS_NAMED_MAX = 3

if (process.argv.includes('--release')) {
  release()
} else {
  const changes = breakingChanges(releasedInterface(), currentInterface())
  const { undecided, unmatched } = judge(changes, decidedChanges)
  for (const { kind, operations, pointer, detail } of undecided) {
    const named = operations.slice(0, OPERATIONS_NAMED_MAX).join(', ')
    const others = operations.length - OPERATIONS_NAMED_MAX
    console.error(`${kind}: ${pointer} (${detail}); ${named}${others > 0 ? ` and ${others} more` : ''}`)
  }
  for (const { kind, pointer } of unmatched) console.error(`decided, but not in the document: ${kind} ${pointer ?? ''}`)
  console.log(`${changes.length} breaking changes since the last release, ${undecided.length} of them not decided`)
  if (undecided.length + unmatched.length > 0) process.exitCode = 1
}
