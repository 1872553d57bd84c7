import { after } from 'node:test'

type End = () => unknown

/** What this file has opened, in the order of opening. */
let ends: End[] = []

/** Ends what a test file has opened: after its last test, the last opened first. */
export function atFileEnd(end: End): void {
  ends.push(end)
}

/** Everything is closed even if a step fails; the first failure fails the file. */
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

// A runner of scripts/test-runner.js does this for each of its files. Without it, a file has its process to itself.
if (process.env.VITRINE_TEST_RUNNER === undefined) after(endFile)
