import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { NARROW, WIDE } from '../support/pages/browser.ts'

/** Where SCREENSHOTS names a folder: a page as it is, wide and narrow, light and dark. Afterwards its window is as before. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  const before = page.viewportSize() ?? WIDE
  await page.evaluate('scrollTo(0, 0)')
  const isDark = await page.evaluate<boolean>('matchMedia("(prefers-color-scheme: dark)").matches')
  for (const [size, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  }
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
}
