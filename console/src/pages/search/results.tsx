import type { OperatorSearchPreview } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { translate, translateCount, translateElements } from '../../language.ts'
import { Amount } from '../../ui/format/values.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Draft, hidden, movedPin, type Product, pinned, released } from './draft.ts'

interface EditorProps {
  readonly draft: Draft
  /** `focus`: the button to focus when the result has arrived. */
  readonly onChange: (draft: Draft, focus: string) => void
}

/** The result as shoppers will see it, with the buttons that change it. */
export function EditedResult({
  result,
  ...editor
}: EditorProps & { readonly result: OperatorSearchPreview['edited'] }) {
  return (
    <Result title={translate('With your edits')} result={result}>
      {(product) => <Placing product={product} {...editor} />}
    </Result>
  )
}

/** The result without any edits of operators. */
export function UneditedResult({
  result,
  draft,
}: {
  readonly result: OperatorSearchPreview['unedited']
  readonly draft: Draft
}) {
  return (
    <Result title={translate('Without edits')} result={result}>
      {({ id }) => (
        <p class="small">
          {draft.pins.includes(id) ? translate('Pinned') : draft.hidden.includes(id) ? translate('Hidden') : ''}
        </p>
      )}
    </Result>
  )
}

interface ResultProps {
  readonly title: string
  readonly result: OperatorSearchPreview['edited']
  readonly children: (product: Product) => ComponentChildren
}

function Result({ title, result, children }: ResultProps) {
  const { items, totalCount, correctedQuery, redirect } = result
  return (
    <section class="card">
      <div class="heading">
        <h2>{title}</h2>
        <p class="small">{translateCount(totalCount, { one: '{count} product', other: '{count} products' })}</p>
      </div>
      {redirect && (
        <Notice>
          <p>{translateElements('Shoppers are sent to {address}.', { address: <code>{redirect}</code> })}</p>
        </Notice>
      )}
      {correctedQuery && (
        <p class="small">{translateElements('Corrected to {query}.', { query: <strong>{correctedQuery}</strong> })}</p>
      )}
      {items.length === 0 && <p class="small">{translate('No products found.')}</p>}
      <ol class="products">
        {items.map((product) => (
          <li key={product.id}>
            <ProductHead product={product} />
            {children(product)}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Picture, name and price of a product. */
export function ProductHead({ product: { thumbnail, name, priceRange, store } }: { readonly product: Product }) {
  return (
    <>
      {thumbnail ? (
        <img src={thumbnail.url} alt="" width={64} height={64} loading="lazy" />
      ) : (
        <span class="picture" aria-hidden="true" />
      )}
      <div>
        <p>
          <strong>{name}</strong>
        </p>
        <p class="small">
          {store.name} · <Amount {...priceRange.min} />
        </p>
      </div>
    </>
  )
}

/** The buttons of a product. They keep the focus when the product moves. */
function Placing({ product: { id, name }, draft, onChange }: EditorProps & { readonly product: Product }) {
  const place = draft.pins.indexOf(id)
  const isPinned = place >= 0
  const button = (action: string, text: string, next: Draft, isDisabled = false, focus = action) => (
    <button type="button" id={`${action}-${id}`} disabled={isDisabled} onClick={() => onChange(next, `${focus}-${id}`)}>
      {text}
      <span class="hidden"> {name}</span>
    </button>
  )
  const last = draft.pins.length - 1
  return (
    <div class="actions">
      {isPinned && button('up', translate('Up'), movedPin(draft, id, -1), place === 0, place === 1 ? 'down' : 'up')}
      {isPinned &&
        button('down', translate('Down'), movedPin(draft, id, 1), place === last, place === last - 1 ? 'up' : 'down')}
      {isPinned
        ? button('pin', translate('Unpin'), released(draft, id))
        : button('pin', translate('Pin'), pinned(draft, id), draft.pins.length >= 50)}
      {button('hide', translate('Hide'), hidden(draft, id), false, 'show')}
    </div>
  )
}
