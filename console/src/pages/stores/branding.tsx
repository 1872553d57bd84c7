import type {
  OperatorBrandingPreview,
  OperatorDecoration,
  OperatorPicture,
  OperatorStore,
} from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Link } from '../../router.tsx'
import { Editable } from '../../ui/form/editable.tsx'
import { LiveField } from '../../ui/form/live-field.tsx'
import { LogoField } from '../../ui/form/picture-field.tsx'
import { formatNumber } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, PartlySaved } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { SaveBar, useSheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.tsx'

type Look = OperatorBrandingPreview['light']

/** The color of the pages of a store without a design. */
const DEFAULT_COLOR = '#17594a'

interface BrandingProps {
  readonly store: OperatorStore
  readonly onChanged: () => void
}

/** The logo and the color of a store on its checkout, account and order pages and in its emails. */
export function Branding({ store, onChanged }: BrandingProps) {
  const params = { storeSlug: store.slug }
  const { data, error, reload } = useCall(`design of ${store.slug}`, () => call('getStoreDecorationDraft', { params }))
  return (
    <Section
      title={translate('Branding')}
      actions={
        <Link to={`/decorations/${store.slug}`} class="button">
          {translate('Edit the whole design')}
        </Link>
      }
    >
      <p class="small">
        {translate('The name, logo and color appear on the checkout, account and order pages and in emails.')}
      </p>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && (
        <Editable by="saveStoreBranding">
          <BrandingForm
            store={store}
            published={data.published}
            onLogoSaved={onChanged}
            onSaved={() => {
              toast(translate('Branding saved'))
              reload()
              onChanged()
            }}
          />
        </Editable>
      )}
    </Section>
  )
}

interface FormProps {
  readonly store: OperatorStore
  readonly published: OperatorDecoration['published']
  readonly onLogoSaved: () => void
  readonly onSaved: () => void
}

/** The fields that differ from the saved store and design. */
interface Edits {
  readonly logo?: Pick<OperatorPicture, 'url' | 'width' | 'height'> | null
  readonly color?: string
}

const withoutLogo = ({ logo: _, ...others }: Edits): Edits => others
const withoutColor = ({ color: _, ...others }: Edits): Edits => others

function BrandingForm({ store, published, onLogoSaved, onSaved }: FormProps) {
  const params = { storeSlug: store.slug }
  const savedColor = published?.content.theme.primaryColor ?? DEFAULT_COLOR
  const sheet = useSheet<Edits>({}, async (edits) => {
    if (edits.logo !== undefined) {
      const body = { logo: edits.logo && { ...edits.logo, alt: store.names }, expectedVersion: store.version }
      await call('updateStore', { params, body })
      // Another try must not repeat it with the version before it.
      sheet.edit(withoutLogo)
    }
    if (edits.color !== undefined) {
      const body = { primaryColor: edits.color, expectedVersion: published?.version ?? 0 }
      await call('saveStoreBranding', { params, body }).catch((thrown: unknown) => {
        if (edits.logo === undefined) throw thrown
        onLogoSaved()
        throw new PartlySaved('', { cause: thrown })
      })
      sheet.edit(withoutColor)
    }
    onSaved()
  })
  const { logo = store.logo ?? null, color = savedColor } = sheet.draft
  const may = useMay()
  const preview = useCall(color, async () =>
    may('previewStoreBranding') ? call('previewStoreBranding', { params, body: { primaryColor: color } }) : null,
  )
  return (
    <>
      {sheet.error ? <ErrorNotice error={sheet.error} /> : null}
      <div class="two-columns">
        <div class="stacked">
          <LogoField picture={logo} onChange={(next) => sheet.edit((edits) => ({ ...edits, logo: next }))} />
          <LiveField
            type="color"
            label={translate('Color of buttons and links')}
            value={color}
            onChange={(next) =>
              sheet.edit((edits) => (next === savedColor ? withoutColor(edits) : { ...edits, color: next }))
            }
          />
          {preview.data && <Contrast preview={preview.data} />}
        </div>
        {preview.data && (
          <div class="stacked">
            <Sample
              title={translate('In light mode')}
              look={preview.data.light}
              name={store.name}
              logoUrl={logo?.url}
            />
            <Sample title={translate('In dark mode')} look={preview.data.dark} name={store.name} logoUrl={logo?.url} />
          </div>
        )}
      </div>
      <SaveBar {...sheet} />
    </>
  )
}

/** The contrast of text in the color, and the color that is used instead if it is too low. */
function Contrast({ preview: { light, dark } }: { readonly preview: OperatorBrandingPreview }) {
  return (
    <div role="status" class="small">
      {contrastTexts(light, dark).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

function contrastTexts(light: Look, dark: Look): readonly string[] {
  return [
    light.isAdjusted
      ? translate(
          'In light mode text in this color has a contrast of {contrast}:1, too little to read. A darker {accent} is used.',
          { contrast: formatNumber(Number(light.contrast)), accent: light.accent },
        )
      : translate('In light mode text in this color is easy to read ({contrast}:1).', {
          contrast: formatNumber(Number(light.contrast)),
        }),
    dark.isAdjusted
      ? translate(
          'In dark mode text in this color has a contrast of {contrast}:1, too little to read. A lighter {accent} is used.',
          { contrast: formatNumber(Number(dark.contrast)), accent: dark.accent },
        )
      : translate('In dark mode text in this color is easy to read ({contrast}:1).', {
          contrast: formatNumber(Number(dark.contrast)),
        }),
  ]
}

interface SampleProps {
  readonly title: string
  readonly look: Look
  readonly name: string
  readonly logoUrl: string | undefined
}

/** A miniature checkout. */
function Sample({ title, look, name, logoUrl }: SampleProps) {
  const style = {
    '--sample-paper': look.paper,
    '--sample-card': look.card,
    '--sample-ink': look.ink,
    '--sample-soft': look.soft,
    '--sample-line': look.line,
    '--sample-accent': look.accent,
    '--sample-on-accent': look.onAccent,
  }
  return (
    <figure class="brand-sample" style={style}>
      <figcaption class="small">{title}</figcaption>
      <div class="sample">
        <p class="sample-name">
          {logoUrl && <img src={logoUrl} alt="" width="32" height="32" />}
          <strong>{name}</strong>
        </p>
        <div class="sample-card">
          <strong>{translate('Order summary')}</strong>
          <p>
            {translate('Ships tomorrow.')} <span class="sample-link">{translate('Edit')}</span>
          </p>
          <span class="sample-button">{translate('Continue')}</span>
        </div>
      </div>
    </figure>
  )
}
