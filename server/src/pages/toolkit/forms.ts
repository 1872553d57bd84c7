import { type Html, html } from '../../kernel/html.ts'
import type { Language, Texts } from './languages.ts'

const texts: Texts<'summary' | 'optional'> = {
  en: { summary: 'Please look at this again', optional: 'optional' },
  de: { summary: 'Bitte sieh dir das noch einmal an', optional: 'freiwillig' },
}

/** What is wrong with the fields of a form, by their names. */
export type FieldErrors = Readonly<Record<string, string>>

/** What stands in each field when a form is shown. Passwords are never shown again. */
export type FieldValues = Readonly<Record<string, string | undefined>>

export interface Field {
  readonly name: string
  readonly label: string | Html
  readonly type?: 'text' | 'email' | 'password' | 'checkbox' | 'select'
  /** Of a select: what may be chosen. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly hint?: string
  readonly autocomplete?: string
  readonly optional?: boolean
  readonly maxLength?: number
}

export interface FormParts {
  readonly language: Language
  /** Where the form is sent: a path of ours, as `link` gives it. */
  readonly action: string
  /** What tells that the form came from a page of ours. */
  readonly formToken: string
  /** Two fields in a list stand side by side where there is room. */
  readonly fields: readonly (Field | readonly [Field, Field])[]
  readonly values?: FieldValues
  readonly errors?: FieldErrors
  /** Values that travel with the form unseen. */
  readonly hidden?: FieldValues
  readonly submit: string | Html
  /** Stands above the fields. */
  readonly top?: Html
  /** Stands under the fields, above the button. */
  readonly before?: Html
}

/** A form: labels above, hints and errors tied to their fields, a summary of what is wrong that leads to each. */
export function form(parts: FormParts): Html {
  const { action, formToken, fields, submit, hidden = {}, top, before } = parts
  return html`${summary(parts)}
<form method="post" action="${action}" novalidate>
${hiddenFields(formToken, hidden)}
${top}
${fields.map((each) =>
  isPair(each) ? html`<div class="pair">${each.map((one) => field(one, parts))}</div>` : field(each, parts),
)}
${before}
<div class="actions"><button type="submit">${submit}</button></div>
</form>`
}

function isPair(field: FormParts['fields'][number]): field is readonly [Field, Field] {
  return Array.isArray(field)
}

/** @see WCAG 2.2, 3.3.1 Error Identification */
function summary({ fields, errors = {}, language }: FormParts): Html | null {
  const wrong = fields.flatMap((each) => (isPair(each) ? each : [each])).filter(({ name }) => errors[name])
  const general = errors['']
  if (wrong.length === 0 && !general) return null
  return html`<div class="summary" role="alert" aria-labelledby="summary">
<h2 id="summary">${texts[language].summary}</h2>
<ul>
${general && html`<li>${general}</li>`}
${wrong.map(({ name }) => html`<li><a href="#${name}">${errors[name]}</a></li>`)}
</ul>
</div>`
}

function field(each: Field, { language, values = {}, errors = {} }: FormParts): Html {
  const { name, label, type = 'text', hint, autocomplete, optional = false, maxLength, options = [] } = each
  const error = errors[name]
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const shared = html`id="${name}" name="${name}"${!optional && html` required`}${
    describedBy && html` aria-describedby="${describedBy}"`
  }${error && html` aria-invalid="true"`}`
  const said = html`${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}`
  if (type === 'checkbox') {
    const checked = values[name] !== undefined && html` checked`
    return html`<div class="field tick${error && ' wrong'}"><input type="checkbox" value="yes" ${shared}${checked}>
<label for="${name}">${label}</label>${said}</div>`
  }
  const filled = autocomplete && html` autocomplete="${autocomplete}"`
  if (type === 'select') {
    return html`<div class="field${error && ' wrong'}">
<label for="${name}">${label}</label>
${said}
<select ${shared}${filled}>
${options.map((option) => html`<option value="${option.value}"${option.value === values[name] && html` selected`}>${option.label}</option>`)}
</select>
</div>`
  }
  const value = type !== 'password' && values[name] !== undefined && html` value="${values[name]}"`
  const keyboard = (type === 'email' || type === 'password') && html` autocapitalize="none" spellcheck="false"`
  return html`<div class="field${error && ' wrong'}">
<label for="${name}">${label}${optional && html` <span class="optional">(${texts[language].optional})</span>`}</label>
${said}
<input type="${type}" ${shared}${filled}${keyboard}${
    maxLength !== undefined && html` maxlength="${maxLength}"`
  }${value}>
</div>`
}

type QuietFormParts = Pick<FormParts, 'action' | 'formToken' | 'hidden' | 'submit'>

/** A form that is a button, and not the one that is meant to be pressed first. */
export function quietForm({ action, formToken, hidden = {}, submit }: QuietFormParts): Html {
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
