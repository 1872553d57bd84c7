import { Breadcrumbs, type Page } from '../ui/layout.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { href, type Visit } from '../visit.ts'

/** A legal document in force, or `null` if there is none of this type. */
export async function legalPage(visit: Visit, type: string): Promise<Page | null> {
  const { client, locale, texts, formats } = visit
  const documents = await client.call('listLegalDocuments', { query: { locale } })
  const document = documents.find((each) => each.type === type)
  if (!document) return null
  return {
    title: document.title,
    canonical: href(visit, `/legal/${type}`),
    main: (
      <article class="prose" lang={document.locale}>
        <Breadcrumbs visit={visit} trail={[{ name: texts.legal }, { name: document.title }]} />
        <h1>{document.title}</h1>
        <p class="small">{formats.date(document.effectiveAt)}</p>
        <RichText content={document.content} />
      </article>
    ),
  }
}

/** How the shop can be reached. */
export async function contactPage(visit: Visit): Promise<Page> {
  const { client, locale, texts } = visit
  const channels = await client.call('listContactChannels', { query: { locale } })
  return {
    title: texts.contact,
    canonical: href(visit, '/contact'),
    main: (
      <section class="narrow">
        <h1>{texts.contact}</h1>
        <dl>
          {channels.map(({ label, value, url, hours }) => (
            <div>
              <dt>{label}</dt>
              <dd>
                {url ? <a href={url}>{value}</a> : value}
                {hours && <p class="small">{hours}</p>}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ),
  }
}

/** What is shown in place of a page that is not there, or failed. */
export function messagePage(visit: Visit, title: string, text: string): Page {
  return {
    title,
    main: (
      <section class="narrow">
        <h1>{title}</h1>
        <p>{text}</p>
        <a class="button" href={href(visit, '/')}>
          {visit.texts.startShopping}
        </a>
      </section>
    ),
  }
}
