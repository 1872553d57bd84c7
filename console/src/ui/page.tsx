import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { translate } from '../language.ts'
import { BackLink } from '../router.tsx'

export interface PageLayoutProps {
  readonly title: string
  readonly lead?: string
  /** The list that the page belongs to. */
  readonly back?: { readonly to: string; readonly title: string }
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page: heading, description and actions. */
export function Page({ title, lead, back, actions, children }: PageLayoutProps) {
  useEffect(() => {
    document.title = translate('{title} · Vitrine console', { title })
  }, [title])
  return (
    <>
      <div class="heading">
        <div>
          {back && (
            <p class="back">
              <BackLink to={back.to}>‹ {back.title}</BackLink>
            </p>
          )}
          <h1>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}

/** A section of a page with its own heading. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="card">
      <div class="heading">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

interface DescriptionListProps {
  readonly items: readonly (readonly [name: string, value: ComponentChildren])[]
}

/** A list of labeled values. */
export function DescriptionList({ items }: DescriptionListProps) {
  return (
    <dl class="description-list">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
