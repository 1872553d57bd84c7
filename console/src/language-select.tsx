import { LANGUAGES, language, STORED, translate } from './language.ts'

/** Stores the language and reloads the page: modules translate their texts when they are loaded. */
function choose(language: string): void {
  localStorage.setItem(STORED, language)
  location.reload()
}

/** Switches the language of the console. Each language is listed under its own name. */
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
