import { Empty, Facts } from '../ui/elements.tsx'
import { Breadcrumbs, type Page } from '../ui/layout.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { href, type Visit } from '../visit.ts'

/** A legal document in force, or `null` if there is none of this type. */
export async function legalPage(visit: Visit, type: string): Promise<Page | null> {
  const { client, locale, texts, formats } = visit
  const documents = await client.listLegalDocuments({ query: { locale } })
  const document = documents.find((each) => each.type === type)
  if (!document) return null
  return {
    title: document.title,
    canonical: href(visit, `/legal/${type}`),
    main: (
      <>
        <Breadcrumbs trail={[{ name: texts.legal }, { name: document.title }]} />
        <article class="prose" lang={document.locale}>
          <h1>{document.title}</h1>
          <p class="small">{texts.inForceSince(formats.date(document.effectiveAt))}</p>
          <RichText content={document.content} />
        </article>
      </>
    ),
  }
}

/** The contact channels. */
export async function contactPage(visit: Visit): Promise<Page> {
  const { client, locale, texts } = visit
  const channels = await client.listContactChannels({ query: { locale } })
  return {
    title: texts.contact,
    canonical: href(visit, '/contact'),
    main: (
      <section class="narrow">
        <h1>{texts.contact}</h1>
        <p class="lead">{texts.contactText}</p>
        <Facts
          rows={channels.map(({ label, value, url, hours }) => [
            label,
            <>
              {url ? <a href={url}>{value}</a> : value}
              {hours && <p class="small">{hours}</p>}
            </>,
          ])}
        />
      </section>
    ),
  }
}

/** A page with only a message, such as an error. */
export function messagePage(title: string, text: string): Page {
  return { title, main: <Empty title={title} text={text} /> }
}

/** The page for an unknown path. */
export function notFoundPage({ texts }: Visit): Page {
  return { ...messagePage(texts.notFound, texts.notFoundText), status: 404 }
}
