/** What pages are made with. */

export { type Html, html } from '../../kernel/html.ts'
export type { CookieName, NewCookie } from './cookies.ts'
export { type Field, type FieldErrors, type FieldValues, type FormParts, form, quietForm } from './forms.ts'
export { type Language, languageOf, type Texts } from './languages.ts'
export { doneMark } from './layout.ts'
export { markdown, plainText } from './markdown.ts'
export {
  nothing,
  type PageAnswer,
  type PagePrepareContext,
  type PageReadContext,
  type PageRoute,
  type PagesHouse,
  type PageWriteContext,
  pageRead,
  pageWrite,
  type ShownPage,
} from './page-route.ts'
