/** The browser's first locale that is a language tag: Chromium reports `en-US@posix` where the system's locale is C. */
export const locale = [navigator.language, ...navigator.languages].find(isLanguageTag) ?? 'en'

function isLanguageTag(text: string): boolean {
  try {
    return new Intl.Locale(text).baseName !== ''
  } catch {
    return false
  }
}
