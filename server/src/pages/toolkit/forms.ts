import { type Html, html } from '../../kernel/html.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Language, Texts } from './languages.ts'

const texts: Texts<'summary' | 'optional'> = {
  en: { summary: 'Please fix the following', optional: 'optional' },
  de: { summary: 'Bitte prüfe deine Angaben', optional: 'optional' },
}

/** Error texts by field name; '' for the whole form. */
export type FieldErrors = Readonly<Record<string, string>>

/** The invalid fields of a refusal, from decisions (`faults`) and from the schema (`details`). */
export function fieldFaults({ facts }: Refusal): readonly { readonly field: string; readonly code: string }[] {
  const ofSchema = (facts.details ?? []).map(({ pointer, code }) => ({ field: pointer.slice(1), code }))
  return [...ofSchema, ...(facts.faults ?? [])]
}

/** Field values. Passwords are never rendered. */
export type FieldValues = Readonly<Record<string, string | undefined>>

export interface Field {
  readonly name: string
  readonly label: string | Html
  readonly type?: 'text' | 'textarea' | 'email' | 'tel' | 'password' | 'checkbox' | 'select'
  /** A keyboard with digits only. */
  readonly inputMode?: 'numeric'
  /** The options of a select. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly hint?: string
  readonly autocomplete?: string
  readonly optional?: boolean
  readonly maxLength?: number
}

interface FormOptions {
  readonly language: Language
  /** The target path, from `link`. */
  readonly action: string
  readonly formToken: string
  /** Pairs are shown side by side if there is room. */
  readonly fields: readonly (Field | readonly [Field, Field])[]
  readonly values?: FieldValues
  readonly errors?: FieldErrors
  /** Hidden fields. */
  readonly hidden?: FieldValues
  readonly submit: string | Html
  /** Whether the button destroys something. */
  readonly isDangerous?: boolean
  /** Above the fields. */
  readonly top?: Html
  /** Between the fields and the button. */
  readonly before?: Html
}

/** A form with labels, hints, errors tied to their fields, and an error summary that links to them. */
export function form(options: FormOptions): Html {
  const { action, formToken, fields, submit, isDangerous = false, hidden = {}, top, before } = options
  return html`${errorSummary(options)}
<form method="post" action="${action}" novalidate>
${hiddenFields(formToken, hidden)}
${top}
${fields.map((each) =>
  isPair(each) ? html`<div class="pair">${each.map((one) => field(one, options))}</div>` : field(each, options),
)}
${before}
<div class="actions"><button type="submit"${isDangerous && html` class="danger"`}>${submit}</button></div>
</form>`
}

function isPair(field: FormOptions['fields'][number]): field is readonly [Field, Field] {
  return Array.isArray(field)
}

/** @see WCAG 2.2, 3.3.1 Error Identification */
function errorSummary({ fields, errors = {}, language }: FormOptions): Html | null {
  const invalid = fields.flatMap((each) => (isPair(each) ? each : [each])).filter(({ name }) => errors[name])
  const general = errors['']
  if (invalid.length === 0 && !general) return null
  return html`<div class="summary" role="alert" aria-labelledby="summary">
<h2 id="summary">${texts[language].summary}</h2>
<ul>
${general && html`<li>${general}</li>`}
${invalid.map(({ name }) => html`<li><a href="#${name}">${errors[name]}</a></li>`)}
</ul>
</div>`
}

function field(each: Field, { language, values = {}, errors = {} }: FormOptions): Html {
  const { name, label, type = 'text', inputMode, hint, autocomplete, optional = false, maxLength, options = [] } = each
  const error = errors[name]
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const shared = html`id="${name}" name="${name}"${!optional && html` required`}${
    describedBy && html` aria-describedby="${describedBy}"`
  }${error && html` aria-invalid="true"`}`
  const notes = html`${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}`
  if (type === 'checkbox') {
    const checked = values[name] !== undefined && html` checked`
    return html`<div class="field tick${error && ' wrong'}"><input type="checkbox" value="yes" ${shared}${checked}>
<label for="${name}">${label}</label>${notes}</div>`
  }
  const filled = autocomplete && html` autocomplete="${autocomplete}"`
  if (type === 'select') {
    return html`<div class="field${error && ' wrong'}">
<label for="${name}">${label}</label>
${notes}
<select ${shared}${filled}>
${options.map((option) => html`<option value="${option.value}"${option.value === values[name] && html` selected`}>${option.label}</option>`)}
</select>
</div>`
  }
  const value = type !== 'password' && values[name] !== undefined && html` value="${values[name]}"`
  const keyboard =
    type === 'email' || type === 'password'
      ? html` autocapitalize="none" spellcheck="false"`
      : inputMode && html` inputmode="${inputMode}"`
  // Names and addresses may be in any script.
  const more = html`${shared}${filled}${keyboard}${(type === 'text' || type === 'textarea') && html` dir="auto"`}${
    maxLength !== undefined && html` maxlength="${maxLength}"`
  }`
  return html`<div class="field${error && ' wrong'}">
<label for="${name}">${label}${optional && html` <span class="optional">(${texts[language].optional})</span>`}</label>
${notes}
${type === 'textarea' ? html`<textarea rows="4" ${more}>${values[name]}</textarea>` : html`<input type="${type}" ${more}${value}>`}
</div>`
}

type SecondaryFormOptions = Pick<FormOptions, 'action' | 'formToken' | 'hidden' | 'submit'>

/** A form with only a secondary button. */
export function secondaryForm({ action, formToken, hidden = {}, submit }: SecondaryFormOptions): Html {
  return html`<form method="post" action="${action}">
${hiddenFields(formToken, hidden)}
<div class="actions"><button type="submit" class="quiet">${submit}</button></div>
</form>`
}

function hiddenFields(formToken: string, hidden: FieldValues): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}">
${Object.entries(hidden).map(
  ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
)}`
}
