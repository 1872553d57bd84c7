/** Loaded into a server before its own code: the test arms crash points while it runs. */
import { armCrashPoint, type CrashPoint } from '../../../server/src/platform/crash/crash-points.ts'

process.on('message', (point: CrashPoint) => {
  armCrashPoint(point)
  process.send?.('armed')
})
// The test does not keep the server running.
process.channel?.unref()
