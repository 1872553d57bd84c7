import { LANGUAGES, language, STORED, translate } from './language.ts'

/** Remembers the language. The texts of all modules are made when they are loaded, so the page is loaded again. */
function choose(language: string): void {
  localStorage.setItem(STORED, language)
  location.reload()
}

/** Switches the language of the console. Each language is called by its own name. */
export function LanguageSelect() {
  return (
    <label class="language">
      <span>{translate('Language')}</span>
      <select onChange={(event) => choose(event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([each, name]) => (
          <option key={each} value={each} lang={each} selected={each === language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
