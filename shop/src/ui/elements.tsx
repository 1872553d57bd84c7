import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { href, type Visit } from '../visit.ts'

const VisitContext = createContext<Visit | null>(null)
export const VisitProvider = VisitContext.Provider

/** The request that this component is rendered for. */
export function useVisit(): Visit {
  const visit = useContext(VisitContext)
  if (!visit) throw new Error('This component is not within a page.')
  return visit
}

interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly id?: string
  /** Handled by the browser instead of the script, such as a link to the hosted pages. */
  readonly 'data-reload'?: boolean
  readonly children: ComponentChildren
}

/** A link to a page of this shop, in the visitor's language. */
export const Link = ({ to, ...rest }: LinkProps) => <a href={href(useVisit(), to)} {...rest} />

interface FormProps extends Omit<LinkProps, 'id'> {
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>
  /** Submitted as soon as something is chosen. */
  readonly 'data-auto'?: boolean
  readonly novalidate?: boolean
}

/** A form that is sent by POST. */
export function Form({ to, fields = {}, children, ...rest }: FormProps) {
  return (
    <form method="post" action={href(useVisit(), to)} {...rest}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

interface SelectProps {
  readonly name: string
  readonly form?: string
  readonly autocomplete?: 'country'
  readonly 'aria-label'?: string
  /** The text of a label around the select, which then has the class. Without it, `aria-label` is required. */
  readonly label?: string
  readonly class?: string
  /** The values with their texts. */
  readonly options: Iterable<readonly [string | number, string | number]>
  readonly selected?: string | number | undefined
}

/** A select. */
export function Select({ label, class: className, options, selected, ...rest }: SelectProps) {
  const choices = [...options].map(([value, text]) => (
    <option selected={value === selected} value={value}>
      {text}
    </option>
  ))
  if (!label) return <select {...rest}>{choices}</select>
  return (
    <label class={className}>
      {label} <select {...rest}>{choices}</select>
    </label>
  )
}

/** The maximum number of quantities to choose from. */
export const CHOICES_MAX = 10

/** Numbers as options of a {@link Select}. */
export const numbers = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => {
    const each = from + index * step
    return [each, each] as const
  })

interface ButtonProps {
  readonly children: ComponentChildren
}

/** A secondary button. */
export const QuietButton = ({ children }: ButtonProps) => (
  <button type="submit" class="quiet">
    {children}
  </button>
)

/** A button that looks like a link. */
export const TextButton = ({ children, ...rest }: ButtonProps & { readonly 'aria-label'?: string }) => (
  <button type="submit" class="link" {...rest}>
    {children}
  </button>
)

/** The button of a form that the script submits automatically: shown only without the script. */
export const ButtonWithoutScript = ({ children }: ButtonProps) => (
  <noscript>
    <QuietButton>{children}</QuietButton>
  </noscript>
)

/** A link that looks like a button. */
export const ButtonLink = ({ isQuiet, ...rest }: LinkProps & { readonly isQuiet?: boolean }) => (
  <Link class={isQuiet ? 'button quiet' : 'button'} {...rest} />
)

interface TimeProps {
  readonly at: string
  readonly date?: 'long'
  readonly time?: 'short'
}

/** A date, a time or both. The script replaces it by the visitor's local time. */
export function Time({ at, date, time }: TimeProps) {
  const { formats } = useVisit()
  return (
    <time datetime={at} data-date={date} data-time={time}>
      {[date && formats.date(at), time && formats.time(at)].filter(Boolean).join(', ')}
    </time>
  )
}

/** A list of names and values. A row can have a class. */
export function Facts({ rows, of = 'facts' }: { rows: readonly FactRow[]; of?: string }) {
  return (
    <dl class={of}>
      {rows.map(([name, value, kind]) => (
        <div class={kind}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export type FactRow = readonly [name: string, value: ComponentChildren, kind?: string]

/** An empty state: the reason, and a link to go on. */
export function Empty({ title, text, children }: { title?: string; text: string; children?: ComponentChildren }) {
  const { texts } = useVisit()
  return (
    <section class="empty">
      {title && <h1>{title}</h1>}
      <p class="lead">{text}</p>
      {children ?? <ButtonLink to="/">{texts.startShopping}</ButtonLink>}
    </section>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly value?: string | undefined
  readonly maxLength?: number
  readonly required?: boolean
  /** The error message of the field. */
  readonly fault?: string | undefined
}

/** A labeled field. */
export function Field({ name, label, type = 'text', fault, maxLength = 200, ...rest }: FieldProps) {
  const described = fault ? { 'aria-invalid': true, 'aria-describedby': `${name}-error` } : {}
  return (
    <label class={name}>
      {label}
      <input name={name} type={type as 'text'} maxLength={maxLength} {...described} {...rest} />
      {fault && (
        <span class="error" id={`${name}-error`}>
          {fault}
        </span>
      )}
    </label>
  )
}
