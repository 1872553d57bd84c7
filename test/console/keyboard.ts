import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Elements between two that a person passes with Tab before they would use the search. */
const TABS_MAX = 250

type File = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

/** A page that is used with the keyboard alone: what has the focus was reached by Tab. */
export class Keyboard {
  readonly page: Page
  /** The keys so far. */
  pressed = 0

  constructor(page: Page) {
    this.page = page
    // Files are asked for where someone listens; beginning to listen takes a moment.
    page.on('filechooser', () => {})
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.pressed += 1
      await this.page.keyboard.press(key)
    }
  }

  async write(text: string): Promise<void> {
    this.pressed += text.length
    await this.page.keyboard.type(text)
  }

  /** Presses Tab, or Shift Tab, until an element has the focus. */
  async to(locator: Locator): Promise<void> {
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      const isBefore = await locator.evaluate((element) => {
        const focused = element.ownerDocument.activeElement
        // 2: the element precedes the focused one in the document.
        return focused === element ? null : Boolean(focused.compareDocumentPosition(element) & 2)
      })
      if (isBefore === null) return
      await this.press(isBefore ? 'Shift+Tab' : 'Tab')
    }
    assert.fail(`${locator} is not reached by Tab`)
  }

  /** Presses a button, follows a link, opens a summary. */
  async use(locator: Locator, key = 'Enter'): Promise<void> {
    await this.to(locator)
    await this.press(key)
  }

  /** Replaces what is in a field. */
  async fill(locator: Locator, text: string): Promise<void> {
    await this.to(locator)
    await this.press('Control+a')
    await this.write(text)
  }

  /** Chooses an option by the beginning of its text. */
  async choose(locator: Locator, text: string): Promise<void> {
    await this.to(locator)
    await this.write(text)
    const chosen = await locator.evaluate((select) => String(select.selectedOptions[0].text))
    assert.equal(chosen, text)
  }

  /** Chooses files in the dialog of the browser. */
  async upload(locator: Locator, ...files: readonly File[]): Promise<void> {
    await this.to(locator)
    const choosing = this.page.waitForEvent('filechooser')
    await this.press('Enter')
    await (await choosing).setFiles([...files])
  }

  /** Picks what is found for some letters. */
  async pick(locator: Locator, text: string, option: RegExp): Promise<void> {
    await this.fill(locator, text)
    await this.page.getByRole('option', { name: option }).waitFor()
    await this.press('Enter')
  }
}
