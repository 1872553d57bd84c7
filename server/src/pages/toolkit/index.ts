/** The toolkit of the pages: routes, forms, languages and markdown. */

export { type Html, html } from '../../kernel/html.ts'
export {
  type Field,
  type FieldErrors,
  type FieldValues,
  fieldFaults,
  form,
  secondaryForm,
} from './forms.ts'
export { type Language, languageOf, type Texts } from './languages.ts'
export { doneMark } from './layout.ts'
export { markdown, plainText } from './markdown.ts'
export {
  type HtmlPage,
  inLocaleOf,
  type LocaleOf,
  nothing,
  type PagePrepareContext,
  type PageReadContext,
  type PageResponse,
  type PageRoute,
  type PagesDoorDeps,
  pageRead,
  pageWrite,
} from './page-route.ts'
export { lineBreaks, money } from './text.ts'
