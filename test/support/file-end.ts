import { after } from 'node:test'

type End = () => unknown

/** The cleanups of this file, in the order of registration. */
let ends: End[] = []

/** Registers a cleanup that runs after the last test of the file, in reverse order. */
export function atFileEnd(end: End): void {
  ends.push(end)
}

/** Runs all cleanups, even if one fails. The first failure fails the file. */
export async function endFile(): Promise<void> {
  const due = ends.reverse()
  ends = []
  const failures: unknown[] = []
  for (const end of due) {
    try {
      await end()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

// scripts/test-runner.js calls `endFile` after each file. Without a runner, each file has its own process.
if (process.env.VITRINE_TEST_RUNNER === undefined) after(endFile)
