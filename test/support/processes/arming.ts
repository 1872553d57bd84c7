/** Preloaded into a server so that the test can arm crash points while it runs. */
import { armCrashPoint, type CrashPoint } from '../../../server/src/platform/crash/crash-points.ts'

process.on('message', (point: CrashPoint) => {
  armCrashPoint(point)
  process.send?.('armed')
})
// The channel to the test does not keep the server running.
process.channel?.unref()
